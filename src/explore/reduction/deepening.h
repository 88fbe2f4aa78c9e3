// Iterated bounds: everything without preemption, then with at most one, and so on.
//
// Paper: Musuvathi, Qadeer: Iterative Context Bounding for Systematic Testing of Multithreaded Programs (PLDI 2007).
// Idea: most bugs need few preemptions, and what shows first needs the fewest. An iteration that leaves out nothing for its bound is the
// last: the same search without a bound would have made the same runs, so that everything has been explored.
//
//   symbol in the paper        name here
//   currBound                  most_
//   nextWorkQueue empty        PreemptionBound::cut is false
//
// Deviation: an iteration begins anew instead of keeping the states where the one before was cut. What that repeats is small beside
// what the next bound adds.
#pragma once
#include <functional>
#include <memory>

#include "explore/reduction/reduction.h"

namespace heddle {

class Deepening final : public Reduction {
 public:
  using Make = std::function<std::unique_ptr<Reduction>(std::uint32_t most_preemptions)>;  // one that tells its preemption_bound()

  explicit Deepening(Make make) : make_(std::move(make)), inner_(make_(0)) {}

  std::string_view name() const override { return inner_->name(); }
  std::optional<Request> next() override;
  void learn(const Request& request, const Trace& trace) override { inner_->learn(request, trace); }
  void heed(const StopPoll& poll) override { inner_->heed(poll_ = poll); }
  bool covers_step_bound() const override { return inner_->covers_step_bound(); }
  std::optional<PreemptionBound> preemption_bound() const override;
  std::unique_ptr<Reduction> with_bound(std::uint32_t most) const override { return make_(most); }
  Progress progress() const override { return inner_->progress(); }

 private:
  Make make_;
  StopPoll poll_;
  std::uint32_t most_ = 0;
  std::unique_ptr<Reduction> inner_;
};

}  // namespace heddle
