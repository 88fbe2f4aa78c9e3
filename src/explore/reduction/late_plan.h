// A wakeup sequence that is spelled out when its turn comes.
//
// A long run can have as many races as steps, each with a sequence as long as the run: written down at once they would take time and
// memory that grow with the square of its length. Where a node owes nothing else, there is nothing to compare the sequence with yet; then
// the race is noted and the run kept, once for all of its races.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "explore/reduction/wakeup_tree.h"
#include "model/causality.h"

namespace heddle {

// What is needed of a run to spell its reversals: steps and clocks from `base` on, pending operations last.
class KeptRun {
 public:
  KeptRun(const Trace& trace, const Causality& causality, std::uint32_t base);

  std::uint32_t base() const { return base_; }
  std::uint32_t end() const { return base_ + static_cast<std::uint32_t>(steps_.size()); }
  const Transition& step(std::uint32_t event) const { return steps_[event - base_].transition; }
  bool before(std::uint32_t event, std::uint32_t later) const {
    const Step& s = steps_[event - base_];
    return clocks_[(later - base_) * stride_ + s.transition.choice.thread] >= s.position;
  }

 private:
  struct Step {
    Transition transition;
    std::uint32_t position;
  };
  std::uint32_t base_;
  std::size_t stride_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> clocks_;
};

struct LatePlan {
  std::shared_ptr<const KeptRun> run;
  std::uint32_t first = 0, second = 0;  // of the race
  std::vector<std::uint32_t> removed;
  Transition last;  // the second half, as it would be in the other order

  // The past of `second` that does not need what is removed, and then it.
  void spell_out(WakeupForest& forest, WakeupForest::Branches& into) const;
};

}  // namespace heddle
