// The sequence v = notdep(e, E).e' of a race as the run's clocks tell it, without spelling it out.
//
// Most races of a run have been reversed before, or are about to be. That can be told by asking, for each thread, for its next step in v
// and for what the step needs: a matter of threads, not of steps. Where the clocks do not settle it, the answer is Unknown and v has to be
// spelled out; the other two answers are those of may_come_first() in optimal.cpp.
#pragma once
#include <cstdint>
#include <vector>

#include "explore/reduction/wakeup_tree.h"
#include "model/causality.h"

namespace heddle {

class ReversalView {
 public:
  enum class Answer : std::uint8_t { Yes, No, Unknown };

  void begin(const Trace& trace, const Causality& causality, const Race& race);
  // Is t a weak initial of what is left of v?
  Answer comes_first(const Transition& t);
  // Did one of the answers rest on steps that do not happen before the race's second half?
  bool looked_aside() const { return looked_aside_; }
  // Takes the next step of a thread off v. REQUIRES comes_first said Yes to it.
  void take(std::uint8_t thread);

 private:
  bool second_is_next(std::uint8_t thread) const;
  Answer without_a_step(const Transition& t) const;
  bool is_next_step(const Transition& t, std::uint32_t step) const;
  bool is_left(std::uint32_t event) const { return event >= next_[trace_->events[event].thread]; }

  const Trace* trace_ = nullptr;
  const Causality* causality_ = nullptr;
  const Race* race_ = nullptr;
  Transition second_;
  bool second_taken_ = false;
  bool looked_aside_ = false;
  std::vector<std::uint32_t> next_;  // thread → its first event after race.first that is not taken
};

}  // namespace heddle
