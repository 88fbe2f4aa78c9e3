// heddle-mpi.so: MPI behind dist/mpi_module.h. Decides nothing.
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <list>
#include <vector>

#include "dist/mpi_module.h"
#include "mpi/bells.h"

#define HEDDLE_TEXT(x) #x
#define HEDDLE_TEXT_OF(x) HEDDLE_TEXT(x)

namespace {

struct Sending {
  std::vector<unsigned char> bytes;
  int to = 0;
  MPI_Request request = MPI_REQUEST_NULL;
};

std::list<Sending> g_sending;  // lists do not move their elements
std::size_t g_unsent = 0;
MPI_Message g_found = MPI_MESSAGE_NULL;
int g_found_size = 0;
int g_local_place = 0, g_local_workers = 0;
Bells g_bells;

// Forgets what has arrived. Sends to one rank complete in order, so the oldest are looked at first. One that did not get away at once may get there only now.
void move_on() {
  for (auto it = g_sending.begin(); it != g_sending.end();) {
    int done = 0;
    MPI_Test(&it->request, &done, MPI_STATUS_IGNORE);
    if (!done) {
      ++it;
      continue;
    }
    g_unsent -= it->bytes.size();
    g_bells.ring(it->to);
    it = g_sending.erase(it);
  }
}

int rank() {
  int r = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  return r;
}

int size() {
  int n = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

// Where there are more ranks than processors, Open MPI gives the processor away every time it is asked for messages and has none. A worker that
// asks while it has work to do would lose its turn to whoever else is there, for milliseconds. Nobody here waits awake, so nobody needs that.
void keep_our_turn() { setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0); }

bool start() {
  keep_our_turn();
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (!initialised && MPI_Init(nullptr, nullptr) != MPI_SUCCESS) return false;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm local = MPI_COMM_NULL;
  if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local) != MPI_SUCCESS) return false;
  MPI_Comm_rank(local, &g_local_place);
  MPI_Comm_size(local, &g_local_workers);
  int lowest = rank();
  MPI_Bcast(&lowest, 1, MPI_INT, 0, local);
  g_bells.hang(local);
  if (lowest == 0) --g_local_place, --g_local_workers;
  MPI_Comm_free(&local);
  return true;
}

int local_place() { return g_local_place; }
int local_workers() { return g_local_workers; }

bool send(int to, int tag, const void* data, std::size_t length) {
  move_on();
  const auto* bytes = static_cast<const unsigned char*>(data);
  Sending& s = g_sending.emplace_back();
  s.bytes.assign(bytes, bytes + length);
  s.to = to;
  g_unsent += length;
  const bool sent = MPI_Isend(s.bytes.data(), static_cast<int>(length), MPI_BYTE, to, tag, MPI_COMM_WORLD, &s.request) == MPI_SUCCESS;
  g_bells.ring(to);
  return sent;
}

std::size_t unsent() {
  move_on();
  return g_unsent;
}

bool probe(int* from, int* tag, std::size_t* length) {
  g_bells.listen();
  move_on();
  int found = 0;
  MPI_Status status;
  // Open MPI first looks among what it has, and only then takes in what has come: that is found by the next who asks.
  for (int asked = 0; !found && asked < 2; ++asked)
    if (MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &g_found, &status) != MPI_SUCCESS) return false;
  if (!found) return false;
  MPI_Get_count(&status, MPI_BYTE, &g_found_size);
  *from = status.MPI_SOURCE;
  *tag = status.MPI_TAG;
  *length = static_cast<std::size_t>(g_found_size);
  return true;
}

// A long message comes in pieces, and its sender may be waiting for our processor.
void receive(void* data) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Imrecv(data, g_found_size, MPI_BYTE, &g_found, &request);
  for (;;) {
    int done = 0;
    if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done) return;
    const timespec nap{0, 20'000};
    nanosleep(&nap, nullptr);
  }
}

bool rings() { return g_bells.are_everybodys(); }

// What is under way moves on only while we ask.
void sleep(long ns) {
  constexpr long kMostWithMessagesUnderWay = 100'000;
  g_bells.sleep(g_sending.empty() ? ns : std::min(ns, kMostWithMessagesUnderWay));
}

void finish() {
  for (move_on(); !g_sending.empty(); move_on()) {
    const timespec nap{0, 100'000};
    nanosleep(&nap, nullptr);
  }
  g_bells.take_down();
  MPI_Finalize();
}

void abort_all(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

constexpr heddle::MpiModule kModule{
    heddle::kMpiModuleVersion,
#if defined(OMPI_MAJOR_VERSION)
    "Open MPI " HEDDLE_TEXT_OF(OMPI_MAJOR_VERSION) "." HEDDLE_TEXT_OF(OMPI_MINOR_VERSION),
#elif defined(MPICH_VERSION)
    "MPICH " MPICH_VERSION,
#else
    "an MPI library",
#endif
    start, rank, size, local_place, local_workers, send, unsent, probe, receive, rings, sleep, finish, abort_all};

}  // namespace

extern "C" __attribute__((visibility("default"))) const heddle::MpiModule* heddle_mpi_module() { return &kModule; }
