#include "explore/reduction/reversal_view.h"

namespace heddle {
namespace {

// What these conflict with depends on how they come out.
bool is_the_end_of_a_wait(Op op) { return op == Op::CondResume || op == Op::FutexResume || op == Op::Await; }

bool same_operation(const OpView& a, const OpView& b) {
  const bool memory = wire::op_class(a.op) == wire::OpClass::Memory;
  return a.op == b.op && a.object == b.object && a.argument == b.argument && (!memory || a.size == b.size);
}

}  // namespace

void ReversalView::begin(const Trace& trace, const Causality& causality, const Race& race) {
  trace_ = &trace;
  causality_ = &causality;
  race_ = &race;
  second_ = {race.operation, race.choice, race.fatal};
  second_taken_ = looked_aside_ = false;
  next_.resize(static_cast<std::size_t>(causality.threads()));
  for (std::size_t t = 0; t < next_.size(); ++t) next_[t] = causality.next_of(static_cast<std::uint8_t>(t), race.first + 1);
}

// An unfinished thread's pending operation has no event.
bool ReversalView::second_is_next(std::uint8_t thread) const {
  if (second_taken_ || thread != race_->choice.thread) return false;
  return thread >= next_.size() || next_[thread] == kNoEvent || next_[thread] == race_->second;
}

bool ReversalView::is_next_step(const Transition& t, std::uint32_t step) const {
  if (step == race_->second) return !second_.fatal && t.same(second_.choice) && same_operation(t.operation, second_.operation);
  const Event& e = trace_->events[step];
  return t.same({e.thread, e.alternative}) && same_operation(t.operation, view_of(e));
}

// Its thread does nothing more in v: it must not conflict with any step.
ReversalView::Answer ReversalView::without_a_step(const Transition& t) const {
  return !second_taken_ && t.conflicts(second_) ? Answer::No : Answer::Unknown;
}

ReversalView::Answer ReversalView::comes_first(const Transition& t) {
  const std::uint8_t thread = t.choice.thread;
  if (is_the_end_of_a_wait(t.operation.op) || t.fatal) return Answer::Unknown;
  const bool is_second = second_is_next(thread);
  if (!is_second && (thread >= next_.size() || next_[thread] == kNoEvent || !causality_->kept(*race_, next_[thread]))) return without_a_step(t);
  const std::uint32_t step = is_second ? race_->second : next_[thread];
  if (!is_next_step(t, step)) return Answer::Unknown;
  looked_aside_ |= !is_second && !causality_->before(step, race_->second);
  for (std::size_t u = 0; u < next_.size(); ++u) {
    const std::uint32_t other = next_[u];
    if (other == kNoEvent || other >= step || !causality_->before(other, step) || (is_second && !causality_->kept(*race_, other))) continue;
    return wire::conflict(t.operation, view_of(trace_->events[other])) ? Answer::No : Answer::Unknown;
  }
  return Answer::Yes;
}

void ReversalView::take(std::uint8_t thread) {
  if (second_is_next(thread)) second_taken_ = true;
  else next_[thread] = causality_->next_of(thread, next_[thread] + 1);
}

}  // namespace heddle
