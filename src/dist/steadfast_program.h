// A program that is run again when somebody outside has killed it: no run ends with SIGKILL by itself.
#pragma once
#include <deque>

#include "target/program.h"

namespace heddle {

class SteadfastProgram final : public Program {
 public:
  explicit SteadfastProgram(Program& program) : program_(program) {}  // outlives this

  Status submit(const Request& request) override;
  Result<Trace> collect() override;
  int in_flight() const override { return static_cast<int>(asked_.size()); }
  int capacity() const override { return program_.capacity(); }
  std::vector<wire::ThreadName> thread_names() const override { return program_.thread_names(); }
  Status adopt_threads(const std::vector<wire::ThreadName>& names) override { return program_.adopt_threads(names); }
  std::vector<UncoveredNote> uncovered() const override { return program_.uncovered(); }
  std::vector<OrderPair> order_pairs() const override { return program_.order_pairs(); }
  Status make_visible(Address address, std::uint64_t size) override { return program_.make_visible(address, size); }
  void forget_states() override { program_.forget_states(); }

 private:
  Program& program_;
  std::deque<Request> asked_;
  std::deque<Result<Trace>> arrived_;  // behind one that had to be repeated
};

}  // namespace heddle
