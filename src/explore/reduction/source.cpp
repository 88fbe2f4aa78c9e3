#include "explore/reduction/source.h"

#include <algorithm>

namespace heddle {

void Source::plan(const Race& race) {
  if (race.pending_enabled) return;  // asleep: explored elsewhere
  if (race.alternative) return owe_alternative(race);
  Node& at = node(race.first);
  auto leads_to_second = [&](std::uint32_t i) { return causality().before(i, race.second); };
  auto is_covered = [&](const Choice& c, bool leads) { return done_or_owed(at, c) || (asleep(at, c) && (leads || !was_cut_by_steps())); };
  find_initials(race);
  for (std::uint32_t i : initials_)
    if (is_covered(step(i).choice, leads_to_second(i))) return;
  const std::uint32_t first = first_that_leads_to_second(race);
  if (first != kNoEvent) {
    forest().append(at.owed, step(first));
  } else if (!is_covered(race.choice, true)) {
    forest().append(at.owed, second_of(race));
  }
}

// Those of v's events that need no other event of v. Each is the first of its thread.
void Source::find_initials(const Race& race) {
  causality().first_steps(race, initials_);
  std::erase_if(initials_, [&](std::uint32_t i) { return !causality().is_initial(race, i); });
}

// The first event of v that e' needs: nothing of v comes before it, so that it is an initial.
std::uint32_t Source::first_that_leads_to_second(const Race& race) const {
  auto leads_to_second = [&](std::uint32_t i) { return causality().before(i, race.second); };
  const auto it = std::find_if(initials_.begin(), initials_.end(), leads_to_second);
  return it == initials_.end() ? kNoEvent : *it;
}

// The first steps of v, the one that plan() has chosen in front.
Reversal Source::reversal_of(const Race& race) {
  Reversal reversal;
  reversal.kind = Reversal::Kind::AnyOf;
  if (race.alternative) return reversal.steps.push_back({second_of(race), true, {}}), reversal;
  const std::uint32_t first = first_that_leads_to_second(race);
  reversal.steps.push_back({first != kNoEvent ? step(first) : second_of(race), true, {}});
  for (std::uint32_t i : initials_) {
    const bool leads = causality().before(i, race.second);
    reversal.steps.push_back({step(i), leads || !was_cut_by_steps(), {}});
  }
  return reversal;
}

}  // namespace heddle
