#include "explore/reduction/optimal.h"

#include <algorithm>

#include "base/check.h"

namespace heddle {

void Optimal::check_run(const Request& request, const Trace& trace) {
  HEDDLE_CHECK(trace.end != wire::End::SleepBlocked, "optimal: a run was redundant");
  const std::size_t end = request.prefix.size();
  HEDDLE_CHECK(end >= depth() || node(end).sleep.empty(), "optimal: something sleeps at the end of a wakeup sequence");
}

void Optimal::plan(const Race& race) {
  if (race.pending_enabled) return;  // cut short by a bound: it may still happen in this order
  Node& at = node(race.first);
  spell(race, !(at.sleep.empty() && at.done.empty() && at.owed.empty()));
  wakers_.clear();
  if (any_may_come_first(at.sleep) || any_may_come_first(at.done)) return;
  insert(race);
}

// v = notdep(e, E).e'. What happens after e' serves to tell v from what is owed already: not `whole`, it is left out.
void Optimal::spell(const Race& race, bool whole) {
  word_.clear();
  const auto end = static_cast<std::uint32_t>(trace().events.size());
  const std::uint32_t stop = whole ? end : std::min(end, race.second);
  for (std::uint32_t i = race.first + 1; i < stop; ++i)
    if (i != race.second && causality().kept(race, i)) word_.push_back({node(i).taken, i});
  word_.push_back({second_of(race), race.second});
  if (race.then_first) word_.push_back({node(race.first).taken, race.first});
}

// Is t a weak initial of what is left of v? If not, what wakes it is remembered.
bool Optimal::may_come_first(const Transition& t) {
  for (std::uint32_t k = 0; k < word_.size(); ++k) {
    if (word_[k].gone) continue;
    const Transition& step = word_[k].transition;
    const bool same_thread = step.choice.thread == t.choice.thread;
    if (same_thread && t.same(step.choice)) return true;
    if (!same_thread && !t.conflicts(step)) continue;
    wakers_.push_back(k);
    return false;
  }
  return true;
}

bool Optimal::any_may_come_first(const std::vector<Transition>& transitions) {
  return std::any_of(transitions.begin(), transitions.end(), [&](const Transition& t) { return may_come_first(t); });
}

// Down the tree along weak initials of v: a leaf covers it, otherwise the rest becomes the youngest branch where the way ends.
void Optimal::insert(const Race& race) {
  WakeupForest& trees = forest();
  Node& at = node(race.first);
  std::uint32_t parent = WakeupForest::kNone;
  std::uint32_t b = at.owed.first;
  while (b != WakeupForest::kNone) {
    if (!may_come_first(trees[b].transition)) {
      b = trees[b].next;
      continue;
    }
    if (trees[b].below.empty()) return;
    const std::uint8_t thread = trees[b].transition.choice.thread;
    const auto step = std::find_if(word_.begin(), word_.end(), [&](const Step& s) { return !s.gone && s.transition.choice.thread == thread; });
    if (step != word_.end()) step->gone = true;
    parent = b;
    b = trees[b].below.first;
  }
  append_rest(race, at.owed, parent);
}

void Optimal::append_rest(const Race& race, WakeupForest::Branches& at_root, std::uint32_t parent) {
  auto is_needed = [&](const Step& s) {
    if (s.event == race.second || s.event == race.first || causality().before(s.event, race.second)) return true;
    return std::any_of(wakers_.begin(), wakers_.end(), [&](std::uint32_t w) {
      return word_[w].event != race.second && causality().before(s.event, word_[w].event);
    });
  };
  auto is_left = [](const Step& s) { return !s.gone; };
  const bool all = std::none_of(word_.begin(), word_.end(), [&](const Step& s) { return is_left(s) && is_needed(s); });
  for (const Step& s : word_) {
    if (!is_left(s) || !(all || is_needed(s))) continue;
    parent = parent == WakeupForest::kNone ? forest().append(at_root, s.transition) : forest().append_below(parent, s.transition);
  }
}

}  // namespace heddle
