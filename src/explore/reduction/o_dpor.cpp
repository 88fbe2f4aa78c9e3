#include "explore/reduction/o_dpor.h"

#include <algorithm>

namespace heddle {
namespace {

ThreadSet minus(ThreadSet a, const ThreadSet& b) {
  for (int w = 0; w < 2; ++w) a.word[w] &= ~b.word[w];
  return a;
}
ThreadSet common(ThreadSet a, const ThreadSet& b) {
  for (int w = 0; w < 2; ++w) a.word[w] &= b.word[w];
  return a;
}

}  // namespace

ThreadSet ODpor::owed(std::size_t i) { return minus(sets_[i].backtrack, sets_[i].sleep); }

void ODpor::entered(std::size_t i) {
  if (sets_.size() <= i) sets_.resize(i + 1);
  Sets& s = sets_[i];
  s.id = graph_.add(node(i).state);
  if (sleeping_.size() <= s.id) sleeping_.resize(s.id + 1);
  s.backtrack = s.ended = {};
  s.sleep = i > 0 ? sleep_after(i - 1) : ThreadSet{};
  if (node(i).taken.thread != wire::kNoThread) return;
  const ThreadSet awake = minus(sleeping_[s.id], s.sleep);  // in a known state that is gone on from: somebody has to be the first
  s.backtrack.add(awake.next());
  s.sleep = common(s.sleep, sleeping_[s.id]);
}

// What slept or is done, and has nothing to do with the step taken.
ThreadSet ODpor::sleep_after(std::size_t i) {
  ThreadSet asleep;
  if (!sleeps_ || sets_[i].ended.has(node(i).taken.thread)) return asleep;
  const Node& n = node(i);
  for (int t = n.enabled.next(); t >= 0; t = n.enabled.next(t + 1)) {
    const bool rests = sets_[i].sleep.has(t) || (n.done.has(t) && !sets_[i].ended.has(t));
    if (rests && t != n.taken.thread && !labels().conflict(label_of(i), n.next[static_cast<std::size_t>(t)])) asleep.add(t);
  }
  return asleep;
}

void ODpor::took(std::size_t i, LabelId label, const Arrival& arrival) {
  if (arrival.kind == Arrival::Lost) {
    sets_[i].ended.add(node(i).taken.thread);
    graph_.connect(sets_[i].id, label, kNowhere);
    return;
  }
  const StateId known = graph_.find(arrival.state);
  const StateId to = arrival.kind == Arrival::Known && known == kNowhere ? kNotStored : graph_.add(arrival.state);
  if (to != kNotStored && sleeping_.size() <= to) sleeping_.resize(to + 1);
  graph_.connect(sets_[i].id, label, to);
  if (arrival.kind == Arrival::End && known == kNowhere) store_blocked(to, *arrival.next, {});
  if (arrival.kind == Arrival::OnCycle && sleeps_) {
    sleeps_ = false;
    start_over();
  }
  if (arrival.kind != Arrival::Known && arrival.kind != Arrival::OnCycle) return;
  tell_everything_behind(i + 1, known, arrival);
  if (arrival.kind == Arrival::Known && known != kNowhere && !minus(sleeping_[known], sleep_after(i)).empty()) go_on_from_known();
}

void ODpor::left(std::size_t i) {
  sleeping_[sets_[i].id] = minus(common(sets_[i].sleep, node(i).enabled), node(i).done);
  if (is_whole(i)) store_blocked(sets_[i].id, node(i).next, node(i).enabled);
}

void ODpor::store_blocked(StateId state, const std::vector<LabelId>& next, const ThreadSet& enabled) {
  for (std::size_t t = 0; t < next.size(); ++t)
    if (next[t] != kNoLabel && !enabled.has(static_cast<int>(t))) graph_.connect(state, next[t], kNowhere);
}

void ODpor::forget() {
  graph_.clear();
  sleeping_.clear();
}

// --- backtrack sets ------------------------------------------------------------------------------------------------------

void ODpor::learned(const Trace& trace, std::size_t fresh) {
  causality_.analyse(trace, fresh);
  for (const Race& race : causality_.races())
    if (!race.alternative && race.first < depth()) plan(trace, race);
}

bool ODpor::comes_after(const std::vector<std::uint32_t>& events, std::uint32_t event) const {
  return std::any_of(events.begin(), events.end(), [&](std::uint32_t i) { return causality_.before(i, event); });
}

// Some first step of the reversal, unless one is taken or owed already. What slept and was run all the same is left out, with all that follows from it: that
// it could come first says nothing about runs in which it stays asleep (Trap.WhatSleepsIsNoFirstStep).
void ODpor::plan(const Trace& trace, const Race& race) {
  const Node& at = node(race.first);
  Sets& s = sets_[race.first];
  auto is_taken = [&](int t) { return s.backtrack.has(t) || at.done.has(t) || at.taken.thread == t; };
  const auto end = std::min(race.second, static_cast<std::uint32_t>(trace.events.size()));
  int first = -1;
  word_.clear();
  slept_.clear();
  for (std::uint32_t j = race.first + 1; j < end; ++j) {
    poll().ask(slept_.size() + word_.size() + 1);
    if (!causality_.kept(race, j) || comes_after(slept_, j)) continue;
    const int thread = trace.events[j].thread;
    const bool is_initial = !comes_after(word_, j);
    if (is_initial && s.sleep.has(thread)) {
      slept_.push_back(j);
      continue;
    }
    if (is_initial && is_taken(thread)) return;
    if (is_initial && first < 0 && causality_.before(j, race.second)) first = thread;
    word_.push_back(j);
  }
  if (comes_after(slept_, race.second)) return;
  if (first < 0) first = race.choice.thread;
  if (!at.enabled.has(first)) s.backtrack = at.enabled;
  else if (!is_taken(first) && !s.sleep.has(first)) s.backtrack.add(first);
}

// The path's steps that conflict with something that comes later in some order: its thread has to be taken there. If it sleeps that
// does not help, since it need not be the first step of the reversal.
void ODpor::tell_all(std::size_t below, LabelId label) {
  const std::uint8_t thread = labels()[label].operation.thread;
  poll().ask(10 * below);
  while (below-- > 0) {
    if (node(below).taken.thread == thread || !labels().conflict(label_of(below), label)) continue;
    Sets& s = sets_[below];
    if (node(below).enabled.has(thread) && !s.sleep.has(thread)) s.backtrack.add(thread);
    else s.backtrack = node(below).enabled;
  }
}

void ODpor::tell_everything_behind(std::size_t below, StateId known, const Arrival& arrival) {
  auto tell = [&](LabelId label) { tell_all(below, label); };
  if (graph_.each_label_behind(known, *arrival.next, tell, poll())) return;
  for (std::size_t i = 0; i < below; ++i) node(i).whole = true;
}

}  // namespace heddle
