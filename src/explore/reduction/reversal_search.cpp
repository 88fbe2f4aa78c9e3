#include "explore/reduction/reversal_search.h"

#include <algorithm>

#include "base/check.h"

namespace heddle {

bool ReversalSearch::asleep(const Node& at, const Choice& choice) const {
  return std::any_of(at.sleep.begin(), at.sleep.end(), [&](const Transition& t) { return t.same(choice); });
}

bool ReversalSearch::done_or_owed(const Node& at, const Choice& choice) const {
  if (at.taken.same(choice)) return true;
  if (std::any_of(at.done.begin(), at.done.end(), [&](const Transition& t) { return t.same(choice); })) return true;
  for (std::uint32_t b = at.owed.first; b != WakeupForest::kNone; b = forest_[b].next)
    if (forest_[b].transition.same(choice)) return true;
  return false;
}

void ReversalSearch::owe_alternative(const Race& race) {
  Node& at = node(race.first);
  if (!done_or_owed(at, race.choice) && !asleep(at, race.choice)) forest_.prepend(at.owed, second_of(race));
}

std::optional<Request> ReversalSearch::next() {
  if (!started_) {
    started_ = true;
    return Request{};
  }
  while (depth_ > 0 && nodes_[depth_ - 1].owed.empty()) --depth_;
  if (depth_ == 0) return std::nullopt;
  branch_ = depth_ - 1;
  Node& at = nodes_[branch_];
  at.done.push_back(at.taken);
  Request request;
  request.prefix.reserve(depth_ + 8);
  for (std::size_t i = 0; i < branch_; ++i) request.prefix.push_back(nodes_[i].taken.choice);
  const WakeupForest::Branch first = forest_.take(at.owed);
  at.taken = first.transition;
  request.prefix.push_back(first.transition.choice);
  if (sends_sleep_sets()) put_to_sleep(request, at);
  const bool ends = descend(request, first);
  // All but the last step of the plan have been seen in this order; but one that ends the run may follow one that is new.
  fresh_ = request.prefix.size() - std::min<std::size_t>(ends ? 2 : 1, request.prefix.size());
  return request;
}

// Down the oldest branches to a leaf. What the nodes on the way owe besides is theirs from now on.
// True if the leaf is one that ends the run.
bool ReversalSearch::descend(Request& request, const WakeupForest::Branch& from) {
  WakeupForest::Branches owed = from.below;
  bool ends = from.transition.fatal;
  while (!owed.empty()) {
    if (nodes_.size() <= depth_) nodes_.resize(depth_ + 1);
    Node& n = nodes_[depth_++];
    const WakeupForest::Branch b = forest_.take(owed);
    n.taken = b.transition;
    n.sleep.clear();
    n.done.clear();
    n.owed = owed;
    request.prefix.push_back(b.transition.choice);
    owed = b.below;
    ends = b.transition.fatal;
  }
  return ends;
}

// What sleeps after `at.taken`. A transition that ended its run stays awake: the program cannot know that everything wakes it.
void ReversalSearch::put_to_sleep(Request& request, const Node& at) const {
  auto add = [&](const Transition& t) {
    if (t.conflicts(at.taken)) return;
    auto it = std::find_if(request.sleep.begin(), request.sleep.end(), [&](const wire::SleepEntry& e) { return e.thread == t.choice.thread; });
    if (it == request.sleep.end()) it = request.sleep.insert(it, {.thread = t.choice.thread, .pad = {}, .alternatives = {}});
    it->alternatives.add(t.choice.alternative);
  };
  std::for_each(at.sleep.begin(), at.sleep.end(), add);
  std::for_each(at.done.begin(), at.done.end(), add);
}

void ReversalSearch::learn(const Request& request, const Trace& trace) {
  ++runs_;
  std::size_t planned = request.prefix.size();
  if (trace.events.size() < planned) {
    if (!ends_by_last_event(trace)) return;  // lost on the way (the process died): nothing below is known
    planned = trace.events.size();           // a step on the way ended the run: the rest of the plan has to do without it
    void_plans(planned);
  }
  trace_ = &trace;
  extend(trace, planned);
  check_run(request, trace);
  causality_.analyse(trace, std::min(fresh_, planned));
  for (const Race& race : causality_.races()) plan(race);
  for (const std::vector<Transition>& word : void_) replan(node(planned - 1), word);
  void_.clear();
}

// Collects everything that was planned below node `from` - 1, word by word.
void ReversalSearch::void_plans(std::size_t from) {
  std::vector<Transition> word;
  for (std::size_t i = from; i < depth_; ++i) {
    while (!nodes_[i].owed.empty()) void_branch(forest_.take(nodes_[i].owed), word);
    word.push_back(nodes_[i].taken);
  }
  void_.push_back(std::move(word));
}

void ReversalSearch::void_branch(const WakeupForest::Branch& branch, std::vector<Transition> word) {
  word.push_back(branch.transition);
  WakeupForest::Branches below = branch.below;
  if (below.empty()) void_.push_back(word);
  while (!below.empty()) void_branch(forest_.take(below), word);
}

// Nodes for what is new. The branching node keeps all it has, those on the way to the end of the plan what they owe.
void ReversalSearch::extend(const Trace& trace, std::size_t planned) {
  depth_ = trace.events.size();
  if (nodes_.size() < depth_) nodes_.resize(depth_);
  const bool fatal = ends_by_last_event(trace);
  for (std::size_t i = branch_; i < depth_; ++i) {
    const Event& e = trace.events[i];
    Node& n = nodes_[i];
    n.taken = {view_of(e), {e.thread, e.alternative}, fatal && i + 1 == depth_};
    n.enabled = e.enabled;
    if (i == branch_ && planned > 0) continue;
    n.sleep.clear();
    n.done.clear();
    if (i >= planned) n.owed = {};
    if (i > 0 && uses_sleep_sets()) fall_asleep(i);
  }
}

void ReversalSearch::fall_asleep(std::size_t i) {
  const Node& from = nodes_[i - 1];
  auto still = [&](const Transition& t) {
    if (!t.conflicts(from.taken)) nodes_[i].sleep.push_back(t);
  };
  std::for_each(from.sleep.begin(), from.sleep.end(), still);
  std::for_each(from.done.begin(), from.done.end(), still);
}

// Estimated by the part of the tree that has been seen: at each node of the path, branches count alike.
Progress ReversalSearch::progress() const {
  Progress p;
  p.depth = depth_;
  p.pending = forest_.size();
  double seen = 1;
  for (std::size_t i = depth_; i-- > 0;) {
    const Node& n = nodes_[i];
    double owed = 0;
    for (std::uint32_t b = n.owed.first; b != WakeupForest::kNone; b = forest_[b].next) ++owed;
    const auto done = static_cast<double>(n.done.size());
    seen = (done + seen) / (done + 1 + owed);
  }
  p.estimated_executions = static_cast<double>(runs_) / seen;
  return p;
}

}  // namespace heddle
