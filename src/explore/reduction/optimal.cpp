#include "explore/reduction/optimal.h"

#include <algorithm>

#include "base/check.h"
#include "explore/reduction/source.h"
#include "explore/reduction/wakeup_word.h"

namespace heddle {
namespace {

constexpr std::size_t kMostRecordings = 16;

}  // namespace

// Whether a compare-exchange fails in another order cannot be told where accesses of another size touch its bytes. It counts as a write then, and what is planned for that may turn out to be known.
bool Optimal::may_be_redundant(const Trace& trace) {
  auto mixes = [&](const auto& exchange) {
    if (exchange.op != Op::AtomicCas) return false;
    if (exchange.size > wire::kToldValueBytes || exchange.outcome == OpView::kUnknownOutcome) return true;
    return std::any_of(trace.events.begin(), trace.events.end(), [&](const Event& e) {
      if (wire::op_class(e.op) != wire::OpClass::Memory || e.op == Op::Await) return false;
      const bool overlaps = e.object < exchange.object + exchange.size && exchange.object < e.object + e.size;
      const bool told = e.object == exchange.object && e.size == exchange.size;
      return overlaps && !told;
    });
  };
  return std::any_of(trace.pending.begin(), trace.pending.end(), mixes) ||
         std::any_of(trace.events.begin(), trace.events.end(), mixes);
}

void Optimal::check_run(const Request& request, const Trace& trace) {
  const std::size_t end = request.prefix.size();
  const bool is_blocked = trace.end == wire::End::SleepBlocked;
  const bool has_sleepers = end < depth() && !node(end).sleep.empty();
  if ((is_blocked || has_sleepers) && !strayed_at() && !may_be_redundant(trace)) {
    HEDDLE_CHECK(!is_blocked, "optimal: a run was redundant");
    HEDDLE_CHECK(!has_sleepers, "optimal: something sleeps at the end of a wakeup sequence");
  }
  recording_.reset();
  std::erase_if(recorded_, [](const auto& r) { return r.expired(); });
}

std::unique_ptr<Reduction> Optimal::for_cut_runs() const { return std::make_unique<Source>(); }

void Optimal::plan(const Race& race) {
  if (race.pending_enabled) return;  // asleep: explored elsewhere
  if (race.fatal) leave_open();  // all that comes before it counts
  Node& at = node(race.first);
  spell_out_late(at);
  if (is_repetition(at, race)) {
    if (view_.looked_aside()) leave_open();
    return;
  }
  const bool others = !(at.sleep.empty() && at.done.empty() && at.owed.empty());
  if (!others && may_be_late(race)) return plan_late(at, race);
  spell(race, others || !is_ours(race.first));
  if (race.alternative) insert_next(at);
  else insert(at, at.owed);
}

void Optimal::replan(Node& at, const std::vector<Transition>& word) {
  spell_out_late(at);
  front_ = 0;
  word_.clear();
  for (const Transition& t : word) word_.push_back({t, kNoEvent});
  insert(at, at.owed);
}

// Do the clocks tell that v is explored elsewhere, or will be? (What they do not tell, insert() will.)
bool Optimal::is_repetition(const Node& at, const Race& race) {
  if (race.alternative || is_open_exchange(race)) return false;
  if (at.done.empty() && at.sleep.empty() && at.owed.empty()) return false;
  view_.begin(trace(), causality(), race);
  auto comes_first = [&](const Transition& t) { return view_.comes_first(t) == ReversalView::Answer::Yes; };
  return std::any_of(at.done.begin(), at.done.end(), comes_first) || std::any_of(at.sleep.begin(), at.sleep.end(), comes_first) ||
         is_owed(at);
}

// In this run it failed perhaps, and depends on less than in the other order.
bool Optimal::is_open_exchange(const Race& race) {
  return race.operation.op == Op::AtomicCas && race.operation.outcome == OpView::kUnknownOutcome;
}

// insert(), as far as the clocks tell.
bool Optimal::is_owed(const Node& at) {
  const WakeupForest& trees = forest();
  for (std::uint32_t b = at.owed.first; b != WakeupForest::kNone;) {
    const Transition& t = trees[b].transition;
    switch (view_.comes_first(t)) {
      case ReversalView::Answer::Unknown: return false;
      case ReversalView::Answer::No: b = trees[b].next; break;
      case ReversalView::Answer::Yes:
        if (trees[b].below.empty()) return true;
        view_.take(t.choice.thread);
        b = trees[b].below.first;
    }
  }
  return false;
}

// Only what is new in this run is recorded, and few runs are kept: what late plans save must not be spent on recordings.
bool Optimal::may_be_late(const Race& race) const {
  if (race.alternative || is_part() || race.first < branching() || race.second - race.first < late_from_) return false;
  return recording_ || recorded_.size() < kMostRecordings;
}

void Optimal::plan_late(Node& at, const Race& race) {
  if (!recording_) {
    recording_ = std::make_shared<const KeptRun>(trace(), causality(), static_cast<std::uint32_t>(branching()));
    recorded_.push_back(recording_);
  }
  const auto removed = causality().removed(race);
  at.late = std::make_unique<LatePlan>(LatePlan{recording_, race.first, race.second, {removed.begin(), removed.end()}, second_of(race)});
}

// v = notdep(e, E).e'. What happens after e' serves to tell v from what is owed already: not `whole`, it is left out. Where e' ends the run, all of v comes before it.
void Optimal::spell(const Race& race, bool whole) {
  front_ = 0;
  word_.clear();
  if (race.alternative) return spell_alternative(race, whole);
  const auto end = static_cast<std::uint32_t>(trace().events.size());
  const std::uint32_t stop = whole ? end : std::min(end, race.second);
  poll().ask(stop - std::min(stop, race.first));
  auto is_needed = [&](std::uint32_t i) {
    return race.fatal || causality().before(i, race.second) || (is_open_exchange(race) && node(i).taken.conflicts(second_of(race)));
  };
  for (std::uint32_t i = race.first + 1; i < stop; ++i)
    if (i != race.second && causality().kept(race, i)) word_.push_back({node(i).taken, i, is_needed(i)});
  word_.push_back({second_of(race), kNoEvent});
  if (whole && race.then_end) word_.push_back({node(end - 1).taken, end - 1, false});
}

// Another alternative is possible at once, and comes first: branches that are inserted before others must not begin with anybody else's steps, as nothing
// that is planned behind them wakes those. v = e'.(what of notdep(e, E) does not depend on e').
void Optimal::spell_alternative(const Race& race, bool whole) {
  word_.push_back({second_of(race), kNoEvent});
  if (!whole) return;
  std::vector<std::uint32_t> left_out;
  const auto end = static_cast<std::uint32_t>(trace().events.size());
  for (std::uint32_t i = race.first + 1; i < end; ++i) {
    if (!causality().kept(race, i)) continue;
    const Transition& t = node(i).taken;
    const bool depends = t.conflicts(word_.front().transition) ||
                         std::any_of(left_out.begin(), left_out.end(), [&](std::uint32_t e) { return causality().before(e, i); });
    if (depends) left_out.push_back(i);
    else word_.push_back({t, i, false});
  }
  if (race.then_end && left_out.empty()) word_.push_back({node(end - 1).taken, end - 1, false});
}

// The word, with the part of the happens-before order that spans it.
Reversal Optimal::reversal_of(const Race& race) {
  Reversal reversal;
  std::vector<std::vector<bool>> past(word_.size());
  for (std::size_t k = 0; k < word_.size(); ++k) {
    reversal.steps.push_back({word_[k].transition, word_[k].needed, {}});
    past[k].resize(k);
    const std::uint32_t at = word_[k].event == kNoEvent ? race.second : word_[k].event;
    for (std::size_t j = k; j-- > 0;) {
      if (past[k][j] || word_[j].event == kNoEvent || !causality().before(word_[j].event, at)) continue;
      reversal.steps[k].after.push_back(static_cast<std::uint32_t>(j));
      past[k][j] = true;
      for (std::size_t i = 0; i < j; ++i) past[k][i] = past[k][i] || past[j][i];
    }
  }
  return reversal;
}

// Is t a weak initial of what is left of v? If not, what wakes it is remembered.
bool Optimal::may_come_first(const Transition& t) {
  poll().ask(word_.size() - front_);
  const std::optional<std::size_t> waker = waker_of(t, word_, front_);
  const std::optional<std::size_t> decides = waker ? waker : step_of(t.choice.thread, word_, front_);
  if (!decides || !word_[*decides].needed) leave_open();
  if (waker && !word_[*waker].needed) wakers_.push_back(word_[*waker].event);
  return !waker;
}

bool Optimal::any_may_come_first(const std::vector<Transition>& transitions) {
  return std::any_of(transitions.begin(), transitions.end(), [&](const Transition& t) { return may_come_first(t); });
}

// The alternatives of one thread follow each other, so that all of them sleep or none does. What is owed here already wakes this
// one too: it wakes the alternative that was taken.
void Optimal::insert_next(Node& at) {
  WakeupForest::Branches front;
  insert(at, front);
  if (front.empty()) return;
  forest()[front.last].next = at.owed.first;
  at.owed = {front.first, at.owed.empty() ? front.last : at.owed.last};
}

// Down the tree along weak initials of v: a leaf covers it, otherwise the rest becomes the youngest branch where the way ends, or
// of `into` if it does not lead anywhere.
void Optimal::insert(Node& at, WakeupForest::Branches& into) {
  wakers_.clear();
  if (any_may_come_first(at.sleep) || any_may_come_first(at.done)) return;
  WakeupForest& trees = forest();
  std::uint32_t parent = WakeupForest::kNone;
  std::uint32_t b = at.owed.first;
  while (b != WakeupForest::kNone) {
    if (!may_come_first(trees[b].transition)) {
      b = trees[b].next;
      continue;
    }
    if (trees[b].below.empty()) return;
    take_step_of(trees[b].transition.choice.thread, word_, front_);
    while (front_ < word_.size() && word_[front_].gone) ++front_;
    parent = b;
    b = trees[b].below.first;
  }
  append_rest(into, parent);
}

void Optimal::append_rest(WakeupForest::Branches& into, std::uint32_t parent) {
  for (Step& s : word_)
    for (std::uint32_t w : wakers_)
      if (s.event != kNoEvent && causality().before(s.event, w)) s.needed = true;
  const bool all = std::none_of(word_.begin(), word_.end(), [](const Step& s) { return s.needed && !s.gone; });
  for (const Step& s : word_) {
    if (s.gone || !(all || s.needed)) continue;
    parent = parent == WakeupForest::kNone ? forest().append(into, s.transition) : forest().append_below(parent, s.transition);
  }
}

}  // namespace heddle
