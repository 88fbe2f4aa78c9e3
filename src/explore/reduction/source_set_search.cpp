#include "explore/reduction/source_set_search.h"

namespace heddle {
namespace {

bool subset(const ThreadSet& a, const ThreadSet& b) { return (a.word[0] & ~b.word[0]) == 0 && (a.word[1] & ~b.word[1]) == 0; }

}  // namespace

void SourceSetSearch::entered(std::size_t i) {
  Spor::entered(i);
  if (sets_.size() <= i) sets_.resize(i + 1);
  Sets& s = sets_[i];
  s.id = graph_.add(node(i).state);
  s.judged = {};
  s.current.assign(node(i).next.size(), {});
  for (std::size_t t = 0; t < s.current.size(); ++t) s.current[t].add(static_cast<int>(t));
}

void SourceSetSearch::took(std::size_t i, LabelId label, const Arrival& arrival) {
  Spor::took(i, label, arrival);
  if (arrival.kind == Arrival::Lost) return graph_.connect(sets_[i].id, label, kNowhere);
  const bool is_end = arrival.kind == Arrival::End && graph_.find(arrival.state) == kNowhere;
  StateId to = arrival.kind == Arrival::Known ? graph_.find(arrival.state) : graph_.add(arrival.state);
  if (to == kNowhere) to = kNotStored;
  graph_.connect(sets_[i].id, label, to);
  if (is_end) store_blocked(to, *arrival.next, {});
}

// On a cycle a thread may be blocked all the way round.
void SourceSetSearch::left(std::size_t i) {
  if (is_whole(i)) store_blocked(sets_[i].id, node(i).next, node(i).enabled);
}

void SourceSetSearch::store_blocked(StateId state, const std::vector<LabelId>& next, const ThreadSet& enabled) {
  for (std::size_t t = 0; t < next.size(); ++t)
    if (next[t] != kNoLabel && !enabled.has(static_cast<int>(t))) graph_.connect(state, next[t], kNowhere);
}

void SourceSetSearch::forget() {
  graph_.clear();
  Spor::forget();
}

void SourceSetSearch::add_conflict(std::size_t i, int thread, int other) {
  ThreadSet& current = sets_[i].current[static_cast<std::size_t>(thread)];
  const int first = who_must_move(i, other);
  current.add(first >= 0 ? first : kAnybody);
}

bool SourceSetSearch::has_taken_safe_set(std::size_t i) const { return is_reducible(i) && subset(safe_set(i), node(i).done); }

bool SourceSetSearch::leads_outside(std::size_t i, int thread) const {
  return !subset(sets_[i].current[static_cast<std::size_t>(thread)], node(i).done);
}

ThreadSet SourceSetSearch::update_back(std::size_t i) {
  const Node& n = node(i);
  if (has_closed_subset(i)) return n.done;
  if (is_reducible(i)) return take_safe_set(i);
  ThreadSet all = n.done;
  for (int t = n.done.next(); t >= 0; t = n.done.next(t + 1))
    for (int w = 0; w < 2; ++w) all.word[w] |= sets_[i].current[static_cast<std::size_t>(t)].word[w];
  return subset(all, n.enabled) ? all : n.enabled;
}

// The largest one: take out whoever leads outside until nobody does.
bool SourceSetSearch::has_closed_subset(std::size_t i) {
  ThreadSet closed = node(i).done;
  for (bool changed = true; changed;) {
    changed = false;
    for (int t = closed.next(); t >= 0; t = closed.next(t + 1))
      if (!subset(sets_[i].current[static_cast<std::size_t>(t)], closed)) closed.remove(t), changed = true;
  }
  return !closed.empty();
}

}  // namespace heddle
