#include "explore/reduction/dpor.h"

#include <algorithm>

#include "base/check.h"

namespace heddle {

void Dpor::plan(const Race& race) {
  Node& at = node(race.first);
  if (race.alternative) return owe_alternative(race);
  find_necessary(race);
  auto is_covered = [&](const Transition& t) { return done_or_owed(at, t.choice) || asleep(at, t.choice); };
  if (std::any_of(necessary_.begin(), necessary_.end(), is_covered)) return;
  if (!necessary_.empty()) {  // the second half's own thread if it is among them, as in fig. 5
    const bool own = necessary_.back().choice.thread == race.choice.thread;
    forest().append(at.owed, own ? necessary_.back() : necessary_.front());
    return;
  }
  for (int q = at.enabled.next(); q >= 0; q = at.enabled.next(q + 1)) owe(at, q, race.first);
}

// Fig. 3, line 5: those enabled before the race's first half that its second half needs, if their next step needs nothing else (dpor.h).
void Dpor::find_necessary(const Race& race) {
  const ThreadSet& enabled = node(race.first).enabled;
  necessary_.clear();
  causality().first_steps(race, first_steps_);
  std::erase_if(first_steps_, [&](std::uint32_t j) { return !causality().before(j, race.second); });
  for (std::uint32_t j : first_steps_)
    if (enabled.has(trace().events[j].thread) && causality().is_initial(race, j)) necessary_.push_back(step(j));
  if (first_steps_.empty() && enabled.has(race.choice.thread)) necessary_.push_back(second_of(race));
}

// E with its choice in front, or everything that was enabled.
Reversal Dpor::reversal_of(const Race& race) {
  Reversal reversal;
  reversal.kind = Reversal::Kind::AnyOf;
  auto add = [&](const Transition& t) { reversal.steps.push_back({t, true, {}}); };
  if (race.alternative) return add(second_of(race)), reversal;
  if (necessary_.empty()) {
    reversal.kind = Reversal::Kind::AllOf;
    const ThreadSet& enabled = node(race.first).enabled;
    for (int q = enabled.next(); q >= 0; q = enabled.next(q + 1)) add(next_of(q, race.first));
    return reversal;
  }
  if (necessary_.back().choice.thread == race.choice.thread) add(necessary_.back());
  for (const Transition& t : necessary_) add(t);
  return reversal;
}

// 003 fig. 8, line 3, but for what the thread had heard of: its last event, or its creation, knows it.
std::vector<std::uint32_t> Dpor::earlier_firsts(const Race& race) const {
  std::vector<std::uint32_t> firsts;
  if (update_ == Update::Plain || race.alternative || race.pending_enabled) return firsts;
  const std::vector<Event>& events = trace().events;
  const std::uint8_t self = race.choice.thread;
  auto last = static_cast<std::uint32_t>(std::min<std::size_t>(race.second, events.size()));
  auto is_begin = [&](const Event& e) { return e.thread == self || (e.op == Op::ThreadCreate && wire::index_of(e.object) == self); };
  while (last > 0 && !is_begin(events[last - 1])) --last;
  for (std::uint32_t i = 0; i < race.first; ++i) {
    if (events[i].thread == self || !wire::conflict(view_of(events[i]), race.operation)) continue;
    if (last == 0 || !causality().before(i, last - 1)) firsts.push_back(i);
  }
  return firsts;
}

void Dpor::owe(Node& at, int thread, std::uint32_t from) {
  const Transition t = next_of(thread, from);
  if (!done_or_owed(at, t.choice) && !asleep(at, t.choice)) forest().append(at.owed, t);
}

}  // namespace heddle
