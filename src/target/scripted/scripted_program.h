// A Script behind the Program seam: no process, a few microseconds a run.
#pragma once
#include <limits>
#include <memory>
#include <optional>

#include "target/program.h"
#include "target/scripted/script.h"

namespace heddle::scripted {

struct Recording {
  bool races = true;        // watch for data races
  bool final_state = true;  // fill Trace::final_state
  std::uint64_t most_states = std::numeric_limits<std::uint64_t>::max();  // that the table of visited states can hold
};

class ScriptedProgram final : public Program {
 public:
  explicit ScriptedProgram(Script script, Recording recording = {});
  ~ScriptedProgram() override;

  Status submit(const Request& request) override;
  Result<Trace> collect() override;
  int in_flight() const override { return trace_.has_value(); }
  void forget_states() override;
  Status make_visible(Address, std::uint64_t) override { return Nothing{}; }  // everything is, always

  const Script& script() const;
  void limit_timeouts(std::uint32_t most) { timeouts_ = most; }  // for requests that have no limit of their own

 private:
  class Run;
  std::unique_ptr<Run> run_;
  std::optional<Trace> trace_;
  std::uint32_t timeouts_ = 0;
};

}  // namespace heddle::scripted
