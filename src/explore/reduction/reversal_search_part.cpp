// A search that is a part of a larger one (unit.h): how it begins, what it asks of the states above, and what it gives away.
#include <algorithm>

#include "base/check.h"
#include "explore/reduction/reversal_search.h"

namespace heddle {
namespace {

constexpr std::size_t kMostTold = 100'000;  // steps of reversals that are remembered: a few megabytes

}  // namespace

void ReversalSearch::confine(const Unit& unit) {
  forest_ = {};
  nodes_.clear();
  unit_ = unit;
  floor_ = unit.floor();
  is_part_ = true;
  depth_ = branch_ = fresh_ = analysed_ = 0;
  runs_ = 0;
  started_ = false;
  told_.clear();
  told_steps_ = 0;
  reversals_.clear();  // of a unit that was taken away before they were told: they mean nothing in another one
}

// The way to the unit is run like a plan. What is known about the states on it is put into their nodes first.
Request ReversalSearch::begin_unit() {
  Request request;
  if (!unit_.branch) return request;
  request.prefix = unit_.prefix;
  nodes_.resize(floor_);
  for (std::size_t i = 0; i < floor_; ++i) nodes_[i].taken.choice = unit_.prefix[i];
  for (const Fork& fork : unit_.forks) {
    nodes_[fork.depth].done = fork.earlier;
    for (const Transition& t : fork.later) forest_.append(nodes_[fork.depth].owed, t);
  }
  Node& at = nodes_[floor_ - 1];
  at.sleep = unit_.sleep;
  at.taken = *unit_.branch;
  if (sends_sleep_sets()) put_to_sleep(request, at, at.taken);
  depth_ = floor_;
  fresh_ = unit_.fresh;
  return request;
}

// Planned in our own copy of the node; what changes it may be news for whoever owns the state. The copy stays as it was: the owner
// may decide otherwise, and another reversal must not be held to be covered by this one.
void ReversalSearch::plan_above(const Race& race) {
  Node& at = nodes_[race.first];
  const std::size_t before = forest_.size();
  const WakeupForest::Branches known = at.owed;
  plan(race);
  if (forest_.size() == before) return;
  Reversal reversal = reversal_of(race);
  reversal.depth = race.first;
  reversal.next = race.alternative;
  ask_above(std::move(reversal));
  while (at.owed.first != known.first) forget(forest_.take(at.owed));  // new ones in front
  if (known.empty()) return;
  WakeupForest::Branches behind{forest_[known.last].next, at.owed.last};
  forest_[known.last].next = WakeupForest::kNone;
  at.owed = known;
  while (!behind.empty()) forget(forest_.take(behind));
}

// A state on the way to a cut owes all that is enabled (owe_all). This one is somebody else's: they are asked.
void ReversalSearch::ask_for_all_at(std::size_t i) {
  Reversal all{static_cast<std::uint32_t>(i), Reversal::Kind::AllOf, false, {}};
  const ThreadSet& enabled = nodes_[i].enabled;
  for (int q = enabled.next(); q >= 0; q = enabled.next(q + 1)) {
    const Transition t = next_of(q, static_cast<std::uint32_t>(i));
    if (is_missing(i, t) && may_owe(i, q)) all.steps.push_back({t, true, {}});
  }
  if (!all.steps.empty()) ask_above(std::move(all));
}

void ReversalSearch::ask_above(Reversal reversal) {
  if (is_news(reversal)) reversals_.push_back(std::move(reversal));
}

// A race is met in one run after the other, and its reversal is often the same to the last step. The owner has planned it, or knows what covers it, once and for all.
bool ReversalSearch::is_news(const Reversal& reversal) {
  std::vector<std::uint64_t> words = {reversal.depth, static_cast<std::uint64_t>(reversal.kind), reversal.next};
  for (const Reversal::Step& s : reversal.steps) {
    const Choice& c = s.transition.choice;
    words.push_back(c.thread | c.alternative << 8 | s.transition.fatal << 16 | s.needed << 17 | static_cast<std::uint64_t>(s.transition.operation.op) << 32);
    words.push_back(s.transition.operation.object);
  }
  if (told_steps_ > kMostTold) told_.clear(), told_steps_ = 0;
  told_steps_ += reversal.steps.size();
  return told_.insert(std::move(words)).second;
}

void ReversalSearch::forget(WakeupForest::Branch branch) {
  while (!branch.below.empty()) forget(forest_.take(branch.below));
}

std::uint64_t ReversalSearch::owes_at_most(std::uint64_t most) const {
  std::uint64_t n = 0;
  for (std::size_t i = floor_; i < depth_; ++i)
    for (std::uint32_t b = nodes_[i].owed.first; b != WakeupForest::kNone; b = forest_[b].next)
      if (++n >= most) return n;
  return n;
}

std::size_t ReversalSearch::size_of_cut() const {
  std::size_t steps = 0;
  for (std::size_t i = floor_; i < depth_; ++i) {
    steps += size_of(nodes_[i]);
    if (!nodes_[i].owed.empty()) break;
  }
  return steps;
}

// Transitions that tell what this state is.
std::size_t ReversalSearch::size_of(const Node& n) const { return 1 + n.done.size() + size_of(n.owed); }

std::size_t ReversalSearch::size_of(const WakeupForest::Branches& branches) const {
  std::size_t n = 0;
  for (std::uint32_t b = branches.first; b != WakeupForest::kNone; b = forest_[b].next) n += 1 + size_of(forest_[b].below);
  return n;
}

Cut ReversalSearch::cut() {
  Cut cut;
  for (bool found = false; !found; ++floor_) {
    HEDDLE_CHECK(floor_ < depth_, "a unit that owes nothing was to be cut");
    Node& n = nodes_[floor_];
    found = !n.owed.empty();
    cut.states.push_back({n.done, n.taken, copy_of(n.owed)});
    keep_leaves(n.owed);
  }
  cut.rest = nodes_[floor_ - 1].plan;
  return cut;
}

std::optional<Cut> ReversalSearch::snapshot(std::size_t most) const {
  HEDDLE_CHECK(is_part_, "a search that is nobody's part has no unit to show");  // and may have plans that are not spelled out
  std::size_t end = floor_, steps = 0;
  for (std::size_t i = floor_; i < depth_; ++i) {
    steps += size_of(nodes_[i]);
    if (steps > most) break;
    if (!nodes_[i].owed.empty()) end = i + 1;
  }
  if (end <= floor_) return std::nullopt;  // also where a step on the way ended the run
  Cut cut;
  for (std::size_t i = floor_; i < end; ++i) cut.states.push_back({nodes_[i].done, nodes_[i].taken, copy_of(nodes_[i].owed)});
  cut.rest = nodes_[end - 1].plan;
  return cut;
}

std::vector<Plan> ReversalSearch::copy_of(const WakeupForest::Branches& branches) const {
  std::vector<Plan> plans;
  for (std::uint32_t b = branches.first; b != WakeupForest::kNone; b = forest_[b].next)
    plans.push_back({forest_[b].transition, copy_of(forest_[b].below)});
  return plans;
}

// What is given away covers whatever it covered before. A search alone decides the same on the same grounds, as it plans everything below one branch before it runs the
// next; so it does not matter that somebody else may run this one sooner. Those with plans of their own are forgotten: what is added below them is the owner's business.
void ReversalSearch::keep_leaves(WakeupForest::Branches& branches) {
  WakeupForest::Branches all = std::exchange(branches, {});
  while (!all.empty()) {
    const WakeupForest::Branch b = forest_.take(all);
    if (b.below.empty()) forest_.append(branches, b.transition);
    else forget(b);
  }
}

}  // namespace heddle
