#include "cli/recording.h"

#include <time.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "explore/tree_recorder.h"

namespace heddle {
namespace {

std::uint64_t read_clock(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

// Of this process and of the target, which take turns.
std::uint64_t processor_time(pid_t target) {
  clockid_t clock{};
  const bool lives = clock_getcpuclockid(target, &clock) == 0;
  return read_clock(CLOCK_PROCESS_CPUTIME_ID) + (lives ? read_clock(clock) : 0);
}

}  // namespace

Result<Recording> Recording::open(const std::string& file) {
  Recording recording;
  if (file.empty()) return recording;
  recording.file_.reset(std::fopen(file.c_str(), "wb"));
  if (!recording.file_) return Error{fmt::format("--record-tree: cannot write {}: {}", file, std::strerror(errno)), "choose another file"};
  return recording;
}

Explorer::MakeReduction Recording::wrap(Explorer::MakeReduction make, const ProcessProgram& program) const {
  if (!file_) return make;
  return [make, file = file_.get(), &program]() -> std::unique_ptr<Reduction> {
    std::unique_ptr<Reduction> reduction = make();
    auto* search = dynamic_cast<ReversalSearch*>(reduction.get());
    HEDDLE_CHECK(search != nullptr, "a search without a tree of work");
    reduction.release();
    return std::make_unique<TreeRecorder>(std::unique_ptr<ReversalSearch>(search), file, [&program] { return processor_time(program.target_pid()); });
  };
}

}  // namespace heddle
