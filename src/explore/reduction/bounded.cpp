#include "explore/reduction/bounded.h"

#include <algorithm>

#include "base/check.h"
#include "model/preemptions.h"

namespace heddle {
namespace {

// Operations that a thread may have to wait for. All others are possible whenever it comes to them.
bool may_wait(Op op) {
  switch (op) {
    case Op::MutexLock: case Op::RwReadLock: case Op::RwWriteLock: case Op::CondResume: case Op::SemWait: case Op::BarrierResume:
    case Op::OnceBegin: case Op::FutexResume: case Op::ThreadJoin: case Op::Await:
      return true;
    default: return false;
  }
}

}  // namespace

void BoundedSearch::check_run(const Request&, const Trace& trace) {
  spent_.resize(trace.events.size());
  for (auto& events : steps_) events.clear();
  std::uint32_t spent = 0;
  for (std::uint32_t i = 0; i < trace.events.size(); ++i) {
    spent += is_preemption(trace.events, i);
    spent_[i] = spent;
    steps_of(trace.events[i].thread).push_back(i);
  }
  HEDDLE_CHECK(spent <= most_, "a run has more preemptions than the bound allows");
}

void BoundedSearch::plan(const Race& race) {
  if (race.alternative) return owe_alternative(race);
  plan_both(race.first, race.second, race.choice.thread);
}

void BoundedSearch::plan_more() {
  const auto events = static_cast<std::uint32_t>(trace().events.size());
  for (auto i = static_cast<std::uint32_t>(fresh()); i < events; ++i)
    if (may_wait(trace().events[i].op)) plan_wait(i, view_of(trace().events[i]));
  for (std::uint32_t k = 0; k < trace().pending.size(); ++k)
    if (may_wait(trace().pending[k].op)) plan_wait(events + k, view_of(trace().pending[k]));
}

// An operation that a thread had to wait for, or might have had to.
void BoundedSearch::plan_wait(std::uint32_t second, const OpView& operation) {
  const auto events = static_cast<std::uint32_t>(trace().events.size());
  const std::vector<std::uint32_t>& steps = steps_of(operation.thread);
  const std::size_t done = second < events ? causality().position(second) - 1 : steps.size();
  const std::uint32_t arrived = done == 0 ? kNoEvent : steps[done - 1];  // the step that brought the thread there
  if (second < events && arrived != kNoEvent) plan_let_in(second, arrived);
  if (stood_still(operation.thread, arrived == kNoEvent ? 0 : arrived + 1, second)) plan_kept_out(second, operation, arrived);
}

// Other threads' steps that let this one go on. Before them it would have stood there, and leaving it would not have been a preemption.
void BoundedSearch::plan_let_in(std::uint32_t second, std::uint32_t arrived) {
  const std::uint8_t self = trace().events[second].thread;
  for (std::size_t t = 0; t < steps_.size(); ++t) {
    const std::uint32_t known = causality().clock(second)[t];
    if (t == self || known <= causality().clock(arrived)[t]) continue;
    const std::uint32_t let_in = steps_[t][known - 1];
    if (arrived > let_in) plan_both(let_in, arrived, self);
  }
}

// Steps that kept this one waiting. Only the last of them makes an immediate race, and the run that would bring the others to light may
// cost too much. What leads here is what brought the thread here: that it then had to wait for others is beside the point.
void BoundedSearch::plan_kept_out(std::uint32_t second, const OpView& operation, std::uint32_t arrived) {
  const auto end = std::min(second, static_cast<std::uint32_t>(trace().events.size()));
  poll().ask(10 * std::uint64_t{end});
  for (std::uint32_t e = 0; e < end; ++e) {
    const OpView other = view_of(trace().events[e]);
    if (other.thread == operation.thread || !wire::conflict(other, operation)) continue;
    if (arrived == kNoEvent) plan_both(e, e, operation.thread);
    else if (!causality().before(e, arrived)) plan_both(e, arrived, operation.thread);
  }
}

// Was the thread disabled in some state of [from, to)?
bool BoundedSearch::stood_still(std::uint8_t thread, std::uint32_t from, std::uint32_t to) const {
  const std::vector<Event>& events = trace().events;
  for (std::uint32_t i = from; i < to && i < events.size(); ++i)
    if (!events[i].enabled.has(thread)) return true;
  const std::size_t k = to - std::min<std::size_t>(to, events.size());
  return to >= events.size() && k < trace().pending.size() && !trace().pending[k].enabled;
}

void BoundedSearch::plan_both(std::uint32_t first, std::uint32_t second, std::uint8_t thread) {
  plan_at(first, second, thread);
  if (const std::uint32_t start = block_start(first); start != first) plan_at(start, second, thread);
}

std::vector<std::uint32_t>& BoundedSearch::steps_of(std::uint8_t thread) {
  if (steps_.size() <= thread) steps_.resize(thread + 1u);
  return steps_[thread];
}

std::uint32_t BoundedSearch::block_start(std::uint32_t event) const {
  const std::vector<Event>& events = trace().events;
  while (event > 0 && events[event - 1].thread == events[event].thread && !wire::gives_way(events[event - 1])) --event;
  return event;
}

// Something that leads to the second half is to happen in this state already.
void BoundedSearch::plan_at(std::uint32_t state, std::uint32_t second, std::uint8_t thread) {
  find_leading(state, second, thread);
  const Node& at = node(state);
  auto is_explored = [&](int t) { return done_or_owed(at, {static_cast<std::uint8_t>(t), wire::kAnyAlternative}); };
  if (std::any_of(leading_.begin(), leading_.end(), is_explored)) return;
  if (!leading_.empty()) return owe(state, leading_);
  for (int t = at.enabled.next(); t >= 0; t = at.enabled.next(t + 1))
    if (!is_explored(t)) owe(state, {t});
}

// Threads whose steps from this state on are in the past of the second half, and not for the sake of the step that is taken here. The
// second half's own comes last.
void BoundedSearch::find_leading(std::uint32_t state, std::uint32_t second, std::uint8_t thread) {
  leading_.clear();
  const ThreadSet& enabled = node(state).enabled;
  ThreadSet seen;
  seen.add(trace().events[state].thread);
  auto consider = [&](std::uint8_t t) {
    if (seen.has(t)) return;
    seen.add(t);
    if (enabled.has(t)) leading_.push_back(t);
  };
  const auto end = std::min(second, static_cast<std::uint32_t>(trace().events.size()));
  poll().ask(end - std::min(end, state));
  for (std::uint32_t j = state + 1; j < end; ++j)
    if (causality().before(j, second) && !causality().before(state, j)) consider(trace().events[j].thread);
  consider(thread);
}

bool BoundedSearch::may_owe(std::size_t state, int thread) {
  if (state == 0 || spent_[state - 1] + preempts(trace().events[state - 1], node(state).enabled, thread) <= most_) return true;
  cut_ = true;
  return false;
}

// The last of these; none if somebody else owns the state and knows of another.
void BoundedSearch::owe(std::uint32_t state, const std::vector<int>& threads) {
  if (!may_owe(state, threads.back())) return;
  if (is_ours(state)) {
    forest().append(node(state).owed, next_of(threads.back(), state));
    return;
  }
  Reversal reversal{state, Reversal::Kind::AnyOf, false, {}};
  for (auto t = threads.rbegin(); t != threads.rend(); ++t) reversal.steps.push_back({next_of(*t, state), true, {}});
  ask_above(std::move(reversal));
}

// All else asks by itself.
Reversal BoundedSearch::reversal_of(const Race& race) {
  HEDDLE_CHECK(race.alternative, "a bounded search has planned above its floor");
  return {race.first, Reversal::Kind::AnyOf, true, {{second_of(race), true, {}}}};
}

}  // namespace heddle
