#include "explore/reduction/source.h"

#include <algorithm>
#include <utility>

namespace heddle {

void Source::plan(const Race& race) {
  if (race.pending_enabled) return;  // asleep: explored elsewhere
  if (race.alternative) return owe_alternative(race);
  Node& at = node(race.first);
  auto leads_to_second = [&](std::uint32_t i) { return causality().before(i, race.second); };
  auto is_covered = [&](const Choice& c, bool leads) { return done_or_owed(at, c) || (asleep(at, c) && (leads || !was_cut_by_steps())); };
  const auto end = std::min(race.second, static_cast<std::uint32_t>(trace().events.size()));
  word_.clear();
  for (std::uint32_t i = race.first + 1; i < end; ++i) {
    if (!causality().kept(race, i)) continue;
    if (is_initial(i) && is_covered(step(i).choice, leads_to_second(i))) return;
    word_.push_back(i);
  }
  const auto first = std::find_if(word_.begin(), word_.end(), leads_to_second);
  if (first != word_.end()) {
    forest().append(at.owed, step(*first));  // nothing of v comes before it
  } else if (!is_covered(race.choice, true)) {
    forest().append(at.owed, second_of(race));
  }
}

// The first steps of v, the one that plan() has chosen in front.
Reversal Source::reversal_of(const Race& race) {
  Reversal reversal;
  reversal.kind = Reversal::Kind::AnyOf;
  if (race.alternative) return reversal.steps.push_back({second_of(race), true, {}}), reversal;
  std::vector<Transition> initials;
  const std::vector<std::uint32_t> word = std::exchange(word_, {});
  for (std::uint32_t i : word) {
    if (is_initial(i)) initials.push_back(node(i).taken);
    word_.push_back(i);
  }
  auto leads_to_second = [&](std::uint32_t i) { return causality().before(i, race.second); };
  const auto first = std::find_if(word_.begin(), word_.end(), leads_to_second);
  reversal.steps.push_back({first != word_.end() ? node(*first).taken : second_of(race), true, {}});
  for (const Transition& t : initials) reversal.steps.push_back({t, true, {}});
  return reversal;
}

bool Source::is_initial(std::uint32_t event) const {
  return std::none_of(word_.begin(), word_.end(), [&](std::uint32_t i) { return causality().before(i, event); });
}

}  // namespace heddle
