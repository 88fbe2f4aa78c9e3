// A program for tests of the explorer: threads that only count their steps, in memory, with what happens at the end decided
// by the test. No dependencies and no blocking, so the number of interleavings is a multinomial coefficient.
#pragma once
#include <deque>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "target/program.h"

namespace heddle {

class TinyProgram : public Program {
 public:
  // steps[t]: the number of steps of thread t.
  explicit TinyProgram(std::vector<int> steps) : steps_(std::move(steps)) {}

  std::function<int(int thread, int step)> alternatives = [](int, int) { return 1; };
  std::function<void(Trace&)> at_end = [](Trace&) {};
  std::function<std::uint64_t(int run)> pc_shift = [](int) { return 0; };  // a program that is not deterministic
  std::set<Address> visible;
  std::vector<UncoveredNote> notes;
  int runs = 0;
  int most_in_flight = 0;
  std::function<void()> on_run = [] {};

  Status submit(const Request& request) override {
    queue_.push_back(request);
    most_in_flight = std::max(most_in_flight, in_flight());
    return Nothing{};
  }

  Result<Trace> collect() override {
    const Request request = queue_.front();
    queue_.pop_front();
    on_run();
    ++runs;
    return run_one(request);
  }

  int in_flight() const override { return static_cast<int>(queue_.size()); }
  int capacity() const override { return 8; }
  std::vector<UncoveredNote> uncovered() const override { return notes; }
  Status make_visible(Address address, std::uint64_t) override {
    visible.insert(address);
    return Nothing{};
  }

 private:
  Trace run_one(const Request& request) const {
    Trace trace;
    trace.threads = static_cast<std::uint32_t>(steps_.size());
    std::vector<int> done(steps_.size(), 0);
    std::uint64_t seed = request.seed;
    for (;;) {
      Event e;
      for (std::size_t t = 0; t < steps_.size(); ++t) {
        if (done[t] < steps_[t]) e.enabled.add(static_cast<int>(t));
      }
      if (e.enabled.empty()) break;
      if (request.max_steps != 0 && trace.events.size() == request.max_steps) {
        trace.end = wire::End::StepLimit;
        break;
      }
      const std::size_t i = trace.events.size();
      Choice choice{static_cast<std::uint8_t>(e.enabled.next()), wire::kAnyAlternative};
      if (i < request.prefix.size()) {
        choice = request.prefix[i];
      } else if (request.policy == wire::Policy::RunOn) {
        if (i > 0 && e.enabled.has(trace.events[i - 1].thread)) choice.thread = trace.events[i - 1].thread;
      } else if (request.policy == wire::Policy::Random) {
        for (std::uint64_t skip = (seed = seed * 6364136223846793005ULL + 1442695040888963407ULL) >> 60; skip > 0; --skip) {
          const int following = e.enabled.next(choice.thread + 1);
          choice.thread = static_cast<std::uint8_t>(following < 0 ? e.enabled.next() : following);
        }
      }
      if (!e.enabled.has(choice.thread)) {
        trace.end = wire::End::Diverged;
        break;
      }
      const int step = done[choice.thread]++;
      for (int a = 0; a < alternatives(choice.thread, step); ++a) e.alternatives.add(a);
      e.thread = choice.thread;
      e.alternative = choice.alternative == wire::kAnyAlternative ? 0 : choice.alternative;
      e.op = Op::AtomicStore;
      e.pc = wire::make_address(wire::Region::Module, 0,
                                0x1000u * (choice.thread + 1u) + static_cast<unsigned>(step) + pc_shift(runs));
      trace.events.push_back(e);
    }
    at_end(trace);
    return trace;
  }

  std::vector<int> steps_;
  std::deque<Request> queue_;
};

}  // namespace heddle
