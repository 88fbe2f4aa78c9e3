// The same process in another mode: with captured states or without, with these accesses visible or those.
//
// Two searches can take turns on one target, each with a ProgramMode of its own, as long as nothing is in flight when the other one goes on.
#pragma once
#include "target/process_program.h"

namespace heddle {

class ProgramMode final : public Program {
 public:
  // `state` is None or Exact. The process outlives us.
  ProgramMode(ProcessProgram& process, wire::StateMode state, wire::Visibility visibility)
      : process_(process), state_(state), visibility_(visibility) {}

  // REQUIRES nothing in flight. From here on the process is what this mode says, its options() too.
  void enter() { process_.change_mode(state_, visibility_); }

  Status submit(const Request& request) override {
    if (process_.in_flight() == 0) enter();
    return process_.submit(request);
  }
  Result<Trace> collect() override { return process_.collect(); }
  int in_flight() const override { return process_.in_flight(); }
  int capacity() const override { return process_.capacity(); }
  std::vector<wire::ThreadName> thread_names() const override { return process_.thread_names(); }
  Status adopt_threads(const std::vector<wire::ThreadName>& names) override { return process_.adopt_threads(names); }
  std::vector<UncoveredNote> uncovered() const override { return process_.uncovered(); }
  std::vector<OrderPair> order_pairs() const override { return process_.order_pairs(); }
  Status make_visible(Address address, std::uint64_t size) override { return process_.make_visible(address, size); }

  // States belong to the search that captures them.
  void forget_states() override {
    if (state_ != wire::StateMode::None) process_.forget_states();
  }

 private:
  ProcessProgram& process_;
  const wire::StateMode state_;
  const wire::Visibility visibility_;
};

}  // namespace heddle
