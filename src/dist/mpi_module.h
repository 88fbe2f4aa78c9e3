// The seam to MPI: what heddle-mpi.so (src/mpi/module.cpp) offers. That file alone is compiled against mpi.h and linked with the MPI
// library, and it is loaded only by a heddle that mpirun started: nobody else waits for MPI to load, or needs it installed.
//
// Plain functions and plain types, so that neither side depends on the other's build. Messages are whole and in order.
#pragma once
#include <cstddef>
#include <cstdint>

namespace heddle {

inline constexpr std::uint32_t kMpiModuleVersion = 2;
inline constexpr const char* kMpiModuleFile = "heddle-mpi.so";
inline constexpr const char* kMpiModuleEntry = "heddle_mpi_module";

struct MpiModule {
  std::uint32_t version;       // first, and for ever
  const char* library;         // which MPI it was built with
  bool (*start)();             // joins the other ranks. False: MPI said why
  int (*rank)();
  int (*size)();
  int (*local_place)();        // among the ranks on this machine that work, which is all but rank 0
  int (*local_workers)();      // so many of them
  // Copies, and returns at once; what is under way moves on with every call. False: the connection is broken.
  bool (*send)(int to, int tag, const void* data, std::size_t size);
  std::size_t (*unsent)();     // bytes that are still under way
  // Is there a message from anyone? Never waits. REQUIRES receive() is called next if there is one.
  bool (*probe)(int* from, int* tag, std::size_t* size);
  void (*receive)(void* data);
  bool (*rings)();             // does whoever sends to this rank wake it?
  void (*sleep)(long ns);      // until somebody does, but for a message that came before the last probe(). REQUIRES ns < 1 s
  void (*finish)();            // leaves; REQUIRES that all ranks do
  void (*abort)(int code);     // ends all ranks
};

using MpiModuleEntry = const MpiModule* (*)();

}  // namespace heddle
