// A scripted program that takes several requests at once, as a real one does. Counts how often somebody begins to ask.
#pragma once
#include <deque>

#include "target/scripted/scripted_program.h"

namespace heddle {

class QueuedProgram final : public Program {
 public:
  explicit QueuedProgram(const scripted::Script& script) : program_(script) {}

  Status submit(const Request& request) override {
    if (asked_.empty()) ++hand_overs;
    asked_.push_back(request);
    return Nothing{};
  }
  Result<Trace> collect() override {
    const Request request = std::move(asked_.front());
    asked_.pop_front();
    return program_.run(request);
  }
  int in_flight() const override { return static_cast<int>(asked_.size()); }
  int capacity() const override { return 8; }
  Status make_visible(Address, std::uint64_t) override { return Nothing{}; }

  std::uint64_t hand_overs = 0;

 private:
  scripted::ScriptedProgram program_;
  std::deque<Request> asked_;
};

}  // namespace heddle
