// This process as one of the ranks that mpirun started: whether it is one, the MPI module that it loads then, and messages to other ranks.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dist/archive.h"
#include "dist/mpi_module.h"

namespace heddle {

// What the launcher's environment says, before anything is loaded. Nothing: this process was not started by mpirun.
struct Launched {
  int rank = 0;
  int size = 0;  // 0: it does not say
};
std::optional<Launched> launched_by_mpi();

class MpiSession {
 public:
  struct Envelope {
    int rank = 0, tag = 0;
    Bytes message;
  };

  // Loads the module from beside the executable and joins the others.
  static Result<std::unique_ptr<MpiSession>> join(const Launched& launched);

  int rank() const { return module_->rank(); }
  int size() const { return module_->size(); }
  int local_place() const { return module_->local_place(); }
  std::uint32_t local_workers() const { return static_cast<std::uint32_t>(module_->local_workers()); }

  bool send(int rank, int tag, const Bytes& message);
  enum class Naps { Short, Long };
  std::optional<Envelope> receive(int wait_ms, Naps naps = Naps::Short);  // sleeps in between, the longer the less there is to do

  void finish() { module_->finish(); }                // REQUIRES every rank does
  void abort(ExitCode code) { module_->abort(static_cast<int>(code)); }

 private:
  explicit MpiSession(const MpiModule* module) : module_(module) {}
  const MpiModule* module_;
};

// The environment without what the launcher put there: the same for the tested program in every rank.
std::vector<std::string> environment_without_launcher();
void replace_environment(const std::vector<std::string>& variables);

}  // namespace heddle
