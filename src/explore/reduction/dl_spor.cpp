#include "explore/reduction/dl_spor.h"

#include "base/check.h"

namespace heddle {

ThreadSet DlSpor::owed(std::size_t i) {
  const Node& n = node(i);
  if (has_taken_safe_set(i)) return take_safe_set(i);
  for (int t = n.done.next(); t >= 0; t = n.done.next(t + 1)) {
    if (sets(i).judged.has(t)) continue;
    if (use_.skip_last && n.done == n.enabled) return n.enabled;
    sets(i).judged.add(t);
    find_current(i, t);
  }
  return update_back(i);
}

void DlSpor::find_current(std::size_t i, int thread) {
  HEDDLE_CHECK(!is_whole(i), "dl-spor: what is behind a state on a cycle is not complete");
  const ThreadSet& enabled = node(i).enabled;
  const bool is_safe_set_next = is_reducible(i);  // if this thread is in no source set: then its other conflicts do not matter
  ThreadSet& current = sets(i).current[static_cast<std::size_t>(thread)];
  const LabelId step = node(i).next[static_cast<std::size_t>(thread)];
  ThreadSet seen;  // whose conflicts are known
  seen.add(thread);
  auto note = [&](LabelId label, StateId to) {
    poll().ask(10);
    if (to == kNotStored) {
      current.add(kAnybody);
      return false;
    }
    const int other = labels()[label].operation.thread;
    if (seen.has(other) || !may_come_either_way(step, label)) return true;
    seen.add(other);
    add_conflict(i, thread, other);
    if (use_.stop_at_disabled && current.has(kAnybody)) return false;
    if (!use_.stop_when_complete) return true;
    return is_safe_set_next ? !leads_outside(i, thread) : current.count() < enabled.count();
  };
  graph().each_transition(sets(i).id, [&](LabelId label, StateId to) {
    if (label != step || to == kNowhere) return;
    if (to == kNotStored) note(label, to);
    else graph().walk(to, note, !use_.each_transition_once);
  });
}

}  // namespace heddle
