#include "explore/reduction/source.h"

#include <algorithm>

namespace heddle {

void Source::plan(const Race& race) {
  if (race.pending_enabled) return;  // asleep: explored elsewhere
  if (is_alternative(race)) return owe_alternative(race);
  Node& at = node(race.first);
  auto is_covered = [&](const Choice& c) { return done_or_owed(at, c) || asleep(at, c); };
  const auto end = std::min(race.second, static_cast<std::uint32_t>(trace().events.size()));
  word_.clear();
  for (std::uint32_t i = race.first + 1; i < end; ++i) {
    if (!causality().kept(race, i)) continue;
    if (is_initial(i) && is_covered(node(i).taken.choice)) return;
    word_.push_back(i);
  }
  auto leads_to_second = [&](std::uint32_t i) { return causality().before(i, race.second); };
  const auto first = std::find_if(word_.begin(), word_.end(), leads_to_second);
  if (first != word_.end()) {
    forest().append(at.owed, node(*first).taken);  // nothing of v comes before it
  } else if (!is_covered(race.choice)) {
    forest().append(at.owed, second_of(race));
  }
}

bool Source::is_initial(std::uint32_t event) const {
  return std::none_of(word_.begin(), word_.end(), [&](std::uint32_t i) { return causality().before(i, event); });
}

}  // namespace heddle
