#include "explore/reduction/dpor.h"

#include <algorithm>

#include "base/check.h"

namespace heddle {

void Dpor::plan(const Race& race) {
  Node& at = node(race.first);
  if (is_alternative(race)) return owe_alternative(race);
  const ThreadSet E = necessary(race);
  auto is_covered = [&](int q) { const Choice c{static_cast<std::uint8_t>(q), wire::kAnyAlternative}; return done_or_owed(at, c) || asleep(at, c); };
  for (int q = E.next(); q >= 0; q = E.next(q + 1))
    if (is_covered(q)) return;
  if (E.has(race.choice.thread)) return owe(at, race.choice.thread, race.first);
  if (!E.empty()) return owe(at, E.next(), race.first);
  for (int q = at.enabled.next(); q >= 0; q = at.enabled.next(q + 1)) owe(at, q, race.first);
}

// Fig. 3, line 5: those enabled before the race's first half that its second half needs. With sleep sets only those whose next
// step needs nothing else: another one may sleep without the reversal being explored elsewhere.
ThreadSet Dpor::necessary(const Race& race) {
  const ThreadSet& enabled = node(race.first).enabled;
  ThreadSet E, seen;
  word_.clear();
  auto consider = [&](std::uint8_t q, std::uint32_t event) {
    const bool first = !seen.has(q);
    seen.add(q);
    auto precedes = [&](std::uint32_t i) { return causality().before(i, event); };
    if (!enabled.has(q) || (sleep_sets_ && (!first || std::any_of(word_.begin(), word_.end(), precedes)))) return;
    E.add(q);
  };
  const auto end = std::min(race.second, static_cast<std::uint32_t>(trace().events.size()));
  for (std::uint32_t j = race.first + 1; j < end; ++j) {
    if (!causality().before(j, race.second) || !causality().kept(race, j)) continue;
    consider(trace().events[j].thread, j);
    word_.push_back(j);
  }
  consider(race.choice.thread, race.second);
  return E;
}

// What `thread` was about to do before event `from`: it does so later in this run, or is left with it.
Transition Dpor::next_of(int thread, std::uint32_t from) const {
  const Choice choice{static_cast<std::uint8_t>(thread), wire::kAnyAlternative};
  for (std::size_t j = from; j < trace().events.size(); ++j)
    if (trace().events[j].thread == thread) return {view_of(trace().events[j]), choice, false};
  for (const Pending& p : trace().pending)
    if (p.thread == thread) return {view_of(p), choice, false};
  HEDDLE_CHECK(false, "an enabled thread neither moves nor is left pending");
}

void Dpor::owe(Node& at, int thread, std::uint32_t from) {
  Transition t = next_of(thread, from);
  t.operation.alternative = wire::kAnyAlternative;
  if (!done_or_owed(at, t.choice) && !asleep(at, t.choice)) forest().append(at.owed, t);
}

}  // namespace heddle
