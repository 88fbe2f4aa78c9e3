// Which pairs of an operation and what it might have overtaken are races that could have gone the other way.
#include "model/causality.h"

#include <algorithm>
#include <bit>

#include "model/causality_roles.h"

namespace heddle {

using namespace causality_roles;
using wire::kAnyAlternative;
using wire::OpClass;

void Causality::collect(std::uint32_t second, const OpView& v) {
  reversible_.clear();
  pool_.clear();
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const std::uint32_t e = candidates_[k];
    if (trace_->events[e].thread == v.thread || in(required_.data(), e) || !possible_without(e, v)) continue;
    const auto begin = static_cast<std::uint32_t>(pool_.size());
    pool_.insert(pool_.end(), removing_.begin(), removing_.end());
    reversible_.push_back({e, begin, static_cast<std::uint32_t>(pool_.size()), k < by_objects_});
  }
  for (std::size_t k = 0; k < reversible_.size(); ++k) {
    if (overtaken(k)) continue;
    removing_.assign(pool_.begin() + reversible_[k].begin, pool_.begin() + reversible_[k].end);
    // Past an event that it depends on, an operation may come to something else and need not end the run.
    const bool changes = reversible_[k].by_objects;
    const std::uint8_t alternative = !has_alternatives(v.op) ? 0 : changes ? kAnyAlternative : v.alternative;
    add_race(second, v, {v.thread, alternative}).fatal = !changes;
  }
}

// Only immediate races count: others show up once those after them have been reversed.
bool Causality::overtaken(std::size_t k) const {
  for (std::size_t other = 0; other < reversible_.size(); ++other) {
    const bool same = reversible_[other].event == reversible_[k].event;
    if (same ? other < k : before(reversible_[k].event, reversible_[other].event)) return true;
  }
  return false;
}

// The alternatives not taken conflict with the one that was.
void Causality::collect_alternatives(std::uint32_t i) {
  const Event& e = trace_->events[i];
  if (e.alternatives.count() < 2) return;
  for (int a = e.alternatives.next(); a >= 0; a = e.alternatives.next(a + 1)) {
    if (a == e.alternative) continue;
    OpView v = view_of(e);
    v.alternative = static_cast<std::uint8_t>(a);
    removing_.assign(1, i);
    add_race(i, v, {e.thread, v.alternative}).alternative = true;
  }
}

Race& Causality::add_race(std::uint32_t second, const OpView& v, Choice choice) {
  Race r;
  r.first = *std::min_element(removing_.begin(), removing_.end());
  r.second = second;
  r.operation = choice.alternative == kAnyAlternative ? in_other_order(v) : v;
  r.operation.outcome = exchange_in_other_order(second, r.operation);
  r.choice = choice;
  r.removed_begin = static_cast<std::uint32_t>(removed_.size());
  removed_.insert(removed_.end(), removing_.begin(), removing_.end());
  r.removed_end = static_cast<std::uint32_t>(removed_.size());
  return races_.emplace_back(r);
}

Race Causality::with_first(const Race& race, std::uint32_t first) {
  Race r = race;
  r.first = first;
  if (has_alternatives(r.operation.op)) r.choice.alternative = r.operation.alternative = kAnyAlternative;
  r.operation.outcome = OpView::kUnknownOutcome;
  r.fatal = r.then_end = false;  // past what it depends on, it may come to something else
  r.removed_begin = static_cast<std::uint32_t>(removed_.size());
  removed_.push_back(first);
  r.removed_end = static_cast<std::uint32_t>(removed_.size());
  return r;
}

// A resume whose waker is among what is removed leaves by itself; other alternatives show when the operation is reached.
OpView Causality::in_other_order(const OpView& v) const {
  OpView other = v;
  other.outcome = OpView::kUnknownOutcome;
  other.alternative = kAnyAlternative;
  if (!resumes(v.op)) return other;
  const std::uint32_t waker = woken_by_[v.thread];
  other.alternative = waker != kNoEvent && stays(waker, *std::min_element(removing_.begin(), removing_.end())) ? 0 : 1;
  return other;
}

// Whether a compare-exchange succeeds without what is removed. What only read cannot have made it fail, nor can an end of the run that
// has nothing to do with it. Of a write it must be known what was there before: all else that touched these bytes since then is
// removed as well, as it depends on the write.
std::uint8_t Causality::exchange_in_other_order(std::uint32_t second, const OpView& v) const {
  if (v.op != Op::AtomicCas || v.alternative != kAnyAlternative || removing_.size() != 1) return OpView::kUnknownOutcome;
  const bool is_event = second < size();
  const auto k = second - static_cast<std::uint32_t>(is_event ? 0 : size());
  const std::uint8_t in_this_run = is_event ? trace_->events[k].outcome : trace_->pending[k].outcome;
  const std::uint64_t expected = is_event ? trace_->events[k].argument : trace_->pending[k].argument;
  const std::uint32_t e = removing_.front();
  const Event& gone = trace_->events[e];
  const bool touches = wire::op_class(gone.op) == OpClass::Memory && wire::dependency::same_bytes(view_of(gone), v);
  if (!touches) return e + 1 == size() && !is_event ? in_this_run : OpView::kUnknownOutcome;
  if (role_of(view_of(gone)) == wire::dependency::kMemRead) return in_this_run;
  const bool is_told = tells_value(gone.op) && gone.object == v.object && gone.size == v.size;
  if (!is_told || v.size > wire::kToldValueBytes || !std::has_single_bit(v.size)) return OpView::kUnknownOutcome;
  return gone.argument == expected;
}

bool Causality::stays(std::uint32_t e, std::uint32_t first) const {
  if (e < first) return true;
  return std::none_of(removing_.begin(), removing_.end(), [&](std::uint32_t k) { return before(k, e); });
}

// A try-join takes nothing away that its thread could wait for: the operation was possible then and nothing has come between that may have changed it, or
// what let it happen does not depend on the try-join. (What has come between is in a race of its own with it.)
bool Causality::possible_unasked(std::uint32_t e, const OpView& v) const {
  const bool undisturbed = std::none_of(past_.begin(), past_.end(), [&](std::uint32_t p) { return p > e && stays(p, e); });
  if (undisturbed && trace_->events[e].enabled.has(v.thread)) return true;
  return std::all_of(past_.begin(), past_.end(), [&](std::uint32_t p) { return p == e || stays(p, e); });
}

// A loop that read several locations: has another change ended it as well, by somebody whom e does not concern?
bool Causality::over_without(std::uint32_t e, const OpView& v) {
  const auto end = std::min(now_, static_cast<std::uint32_t>(size()));
  looked_at_.clear();
  for (std::uint32_t i = end; i-- > 0 && looked_at_.size() < v.argument;)
    if (trace_->events[i].thread == v.thread) looked_at_.push_back(i);
  for (std::uint32_t w = looked_at_.empty() ? end : looked_at_.back() + 1; w < end; ++w) {
    const Event& other = trace_->events[w];
    const OpView write = view_of(other);
    if (w == e || other.thread == v.thread || !wire::conflict(write, v) || !changed_memory(other) || !stays(w, e)) continue;
    auto read_before = [&](std::uint32_t i) { return i < w && wire::conflict(write, view_of(trace_->events[i])); };
    if (std::any_of(looked_at_.begin(), looked_at_.end(), read_before)) return true;
  }
  return false;
}

bool Causality::possible_without(std::uint32_t e, const OpView& v) {
  removing_.assign(1, e);
  const Event& other = trace_->events[e];
  switch (v.op) {
    case Op::SemWait: return other.object == v.object ? semaphore_open_without(e, v) : !asks_about(other, v) || possible_unasked(e, v);
    case Op::OnceBegin: return once_idle_without(e, v) && (!asks_about(other, v) || possible_unasked(e, v));
    case Op::MutexLock: return lock_free_without(v.object, OpClass::Mutex, v);
    case Op::RwReadLock:
    case Op::RwWriteLock: return lock_free_without(v.object, OpClass::Rwlock, v);
    case Op::CondResume: return lock_free_without(v.argument, OpClass::Mutex, v);
    case Op::Await:
      if (asks_about(other, v)) return possible_unasked(e, v);
      if (v.object == 0) return over_without(e, v);
      // The thread read the location before it began to wait, so that it was waiting already when the other event came.
      return !wire::conflict(view_of(other), v) || other.enabled.has(v.thread);
    default: return true;
  }
}

}  // namespace heddle
