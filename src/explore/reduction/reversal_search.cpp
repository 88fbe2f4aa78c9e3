#include "explore/reduction/reversal_search.h"

#include <algorithm>

#include "base/check.h"

namespace heddle {
namespace {

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t product = (a ^ b) * 0x9e3779b97f4a7c15;
  return product ^ product >> 32;
}

}  // namespace

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

Transition ReversalSearch::step(std::uint32_t event) const {
  Transition t = nodes_[event].taken;
  if (has_alternatives(t.operation.op) && !t.fatal) t.choice.alternative = wire::kAnyAlternative;
  return t;
}

// It does so later in this run, or is left with it.
Transition ReversalSearch::next_of(int thread, std::uint32_t from) const {
  auto open = [&](OpView v) {
    v.alternative = wire::kAnyAlternative;
    v.outcome = OpView::kUnknownOutcome;  // here it may come to something else
    return Transition{v, {static_cast<std::uint8_t>(thread), wire::kAnyAlternative}};
  };
  const std::uint32_t j = causality_.next_of(static_cast<std::uint8_t>(thread), from);
  if (j != kNoEvent) return open(view_of(trace().events[j]));
  for (const Pending& p : trace().pending)
    if (p.thread == thread) return open(view_of(p));
  HEDDLE_CHECK(false, "an enabled thread neither moves nor is left pending");
}

std::optional<Request> ReversalSearch::next() {
  if (!started_) {
    started_ = true;
    return begin_unit();
  }
  while (depth_ > floor_ && !owes(nodes_[depth_ - 1])) --depth_;
  if (depth_ <= floor_) return std::nullopt;
  branch_ = depth_ - 1;
  analysed_ = std::min(analysed_, branch_);
  Node& at = nodes_[branch_];
  spell_out_late(at);
  at.done.push_back(at.taken);
  Request request;
  request.prefix.reserve(depth_ + 8);
  for (std::size_t i = 0; i < branch_; ++i) request.prefix.push_back(nodes_[i].taken.choice);
  const WakeupForest::Branch first = forest_.take(at.owed);
  at.taken = first.transition;
  planned_by_ = first.run;
  if (is_part_) at.plan = copy_of(first.below);
  request.prefix.push_back(first.transition.choice);
  if (sends_sleep_sets()) put_to_sleep(request, at, at.taken);
  const bool ends = descend(request, first);
  // All but the last step of the plan have been seen in this order; but one that ends the run may follow one that is new.
  fresh_ = request.prefix.size() - std::min<std::size_t>(ends ? 2 : 1, request.prefix.size());
  request.next_shares = deepest_that_owes();
  return request;
}

// Whatever the run shows, the next one leaves the path there or below.
std::uint32_t ReversalSearch::deepest_that_owes() const {
  std::size_t i = depth_;
  while (i > floor_ && !owes(nodes_[i - 1])) --i;
  return i > floor_ ? static_cast<std::uint32_t>(i - 1) : 0;
}

void ReversalSearch::spell_out_late(Node& at) {
  if (const std::unique_ptr<LatePlan> late = std::move(at.late)) late->spell_out(forest_, at.owed);
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
    planned_by_ = b.run;
    if (is_part_) n.plan = copy_of(b.below);
    n.sleep.clear();
    n.ended.clear();
    n.done.clear();
    n.owes_all = false;
    n.owed = owed;
    n.late.reset();
    request.prefix.push_back(b.transition.choice);
    owed = b.below;
    ends = b.transition.fatal;
  }
  return ends;
}

// A transition that ended its run stays awake: the program cannot know that everything wakes it.
void ReversalSearch::put_to_sleep(Request& request, const Transition& asleep, const Transition& after) const {
  if (asleep.conflicts(after)) return;
  auto it = std::find_if(request.sleep.begin(), request.sleep.end(), [&](const wire::SleepEntry& e) { return e.thread == asleep.choice.thread; });
  if (it == request.sleep.end()) it = request.sleep.insert(it, {.thread = asleep.choice.thread, .pad = {}, .alternatives = {}});
  if (asleep.choice.alternative == wire::kAnyAlternative) it->alternatives = {{~0ULL, ~0ULL}};  // being explored elsewhere, with all of them
  else it->alternatives.add(asleep.choice.alternative);
}

// What sleeps after a branch of `at`, of those that were there before `at.taken`.
void ReversalSearch::put_to_sleep(Request& request, const Node& at, const Transition& after) const {
  for (const Transition& t : at.sleep) put_to_sleep(request, t, after);
  for (const Transition& t : at.done) put_to_sleep(request, t, after);
}

// A request with a sleep set depends on what the branches before it turn out to do: there, the next branch of a state is all that is known, and
// only where the present one has been run. In the state nearest the root nothing is foreseen, as that is what is cut off first.
std::vector<ReversalSearch::Foreseen> ReversalSearch::foresee(std::size_t most) {
  std::vector<Foreseen> foreseen;
  std::size_t top = floor_;
  while (top < depth_ && nodes_[top].owed.empty()) ++top;
  for (std::size_t i = std::min(branch_ + 1, depth_); i-- > top + 1;) {
    if (sends_sleep_sets() && i == branch_) continue;
    for (std::uint32_t b = nodes_[i].owed.first; b != WakeupForest::kNone; b = forest_[b].next) {
      if (foreseen.size() == most) return foreseen;
      if (!std::exchange(forest_[b].foreseen, true)) foreseen.push_back({foreseen_request(i, forest_[b]), i});
      if (sends_sleep_sets()) break;
    }
  }
  return foreseen;
}

Request ReversalSearch::foreseen_request(std::size_t i, const WakeupForest::Branch& branch) const {
  Request request;
  request.prefix.reserve(i + 8);
  for (std::size_t k = 0; k < i; ++k) request.prefix.push_back(nodes_[k].taken.choice);
  request.prefix.push_back(branch.transition.choice);
  for (std::uint32_t b = branch.below.first; b != WakeupForest::kNone; b = forest_[b].below.first)
    request.prefix.push_back(forest_[b].transition.choice);
  if (!sends_sleep_sets()) return request;
  put_to_sleep(request, nodes_[i], branch.transition);
  put_to_sleep(request, nodes_[i].taken, branch.transition);
  return request;
}

void ReversalSearch::learn(const Request& request, const Trace& trace) {
  forest_.set_run(static_cast<std::uint32_t>(runs_++));
  std::size_t planned = request.prefix.size();
  if (trace.events.size() < planned) {
    if (!ends_by_last_event(trace)) return;  // lost on the way (the process died): nothing below is known
    planned = trace.events.size();           // a step on the way ended the run: the rest of the plan has to do without it
    void_plans(planned);
  }
  trace_ = &trace;
  extend(trace, planned);
  check_run(request, trace);
  fresh_ = std::min(fresh_, planned);
  consider_races(trace, std::min(analysed_, planned));
  analysed_ = depth_;
  plan_more();
  if (trace.end == wire::End::StepLimit) owe_all();
  if (planned > 0 && !is_ours(planned - 1)) void_.clear();  // whoever owns the state plans anew
  for (const std::vector<Transition>& word : void_) {
    const OpView& end = node(planned - 1).taken.operation;
    const bool needs_it = std::any_of(word.begin(), word.end(), [&](const Transition& t) { return wire::dependent(end, t.operation); });
    if (!needs_it) replan(node(planned - 1), word);
  }
  void_.clear();
}

void ReversalSearch::consider_races(const Trace& trace, std::size_t unchanged) {
  if (looks_at_races_again()) {
    causality_.analyse_all(trace, unchanged);
    take_prints(unchanged);
  } else {
    causality_.analyse(trace, fresh_, unchanged);
  }
  for (const Race& race : causality_.races()) {
    poll_.ask();
    if (race.second < fresh_ && is_settled(race)) continue;
    is_open_ = false;
    consider(race);
    consider_ends(race);
    for (std::uint32_t first : earlier_firsts(race)) consider(causality_.with_first(race, first));
    if (looks_at_races_again()) settle(race);
  }
}

// An event is what it does and what happened before it.
void ReversalSearch::take_prints(std::size_t from) {
  prints_.resize(static_cast<std::size_t>(causality_.threads()));
  for (std::size_t i = from; i < trace_->events.size(); ++i) {
    const Event& e = trace_->events[i];
    const std::uint32_t position = causality_.position(i);
    const auto clock = causality_.clock(i);
    std::uint64_t print = mixed(mixed(static_cast<std::uint64_t>(e.op) << 32 | e.thread << 16 | e.alternative, e.object), e.outcome);
    for (std::size_t u = 0; u < clock.size(); ++u) {
      const std::uint32_t before = clock[u] - (u == e.thread);
      print = mixed(print, before > 0 ? prints_[u][before - 1] : 0);
    }
    prints_[e.thread].resize(position);
    prints_[e.thread].back() = print;
  }
}

std::uint64_t ReversalSearch::print_of(const Race& race) const {
  const std::uint64_t print = prints_[trace_->events[race.second].thread][causality_.position(race.second) - 1];
  return race.alternative ? mixed(print, race.choice.alternative) : print;
}

bool ReversalSearch::is_settled(const Race& race) const {
  const std::vector<std::uint64_t>& settled = nodes_[race.first].settled;
  return std::find(settled.begin(), settled.end(), print_of(race)) != settled.end();
}

// Above the floor, others decide. A pending operation is no event yet.
void ReversalSearch::settle(const Race& race) {
  if (!is_open_ && is_ours(race.first) && race.second < trace_->events.size()) nodes_[race.first].settled.push_back(print_of(race));
}

// Whichever alternative comes first: where some of them sleep, none but those that end the run are left. What the second half needs would have woken them all.
void ReversalSearch::consider_ends(const Race& race) {
  if (nodes_[race.first].ended.empty() || race.choice.alternative != wire::kAnyAlternative || race.pending_enabled) return;
  causality_.first_steps(race, steps_);
  if (std::any_of(steps_.begin(), steps_.end(), [&](std::uint32_t i) { return causality_.before(i, race.second); })) return;
  for (const Transition& t : std::vector<Transition>(nodes_[race.first].ended)) {
    if (t.choice.thread != race.choice.thread) continue;
    Race end = race;
    end.operation = t.operation;
    end.choice = t.choice;
    end.fatal = true;
    end.then_end = false;
    consider(end);
  }
}

void ReversalSearch::owe_all() {
  cut_by_steps_ = true;
  for (std::size_t i = depth_; i-- > 0 && !nodes_[i].owes_all;) {
    nodes_[i].owes_all = true;
    is_ours(i) ? owe_all_at(i) : ask_for_all_at(i);
  }
}

bool ReversalSearch::is_missing(std::size_t i, const Transition& t) { return !done_or_owed(nodes_[i], t.choice) && !asleep(nodes_[i], t.choice); }

void ReversalSearch::owe_all_at(std::size_t i) {
  Node& n = nodes_[i];
  spell_out_late(n);
  for (int q = n.enabled.next(); q >= 0; q = n.enabled.next(q + 1)) {
    const Transition t = next_of(q, static_cast<std::uint32_t>(i));
    if (is_missing(i, t) && may_owe(i, q)) forest_.append(n.owed, t);
  }
}

// --- nodes -----------------------------------------------------------------------------------------------------------

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

// Is the step another one than was planned? Which operation a thread comes to follows from its own steps and from what they read,
// and the plan leaves those alone; only how it ends a wait depends on others.
bool ReversalSearch::strays(const OpView& planned, const Event& e) {
  auto is_open = [](Op op) { return op == Op::Await || op == Op::CondResume || op == Op::FutexResume; };
  if (planned.thread != e.thread || is_open(planned.op) || is_open(e.op)) return false;
  const bool is_memory = wire::op_class(e.op) == wire::OpClass::Memory;
  return planned.op != e.op || planned.object != e.object || (is_memory && planned.size != e.size);
}

// Nodes for what is new. The branching node keeps all it has, those on the way to the end of the plan what they owe.
void ReversalSearch::extend(const Trace& trace, std::size_t planned) {
  depth_ = trace.events.size();
  if (nodes_.size() < depth_) nodes_.resize(depth_);
  const bool fatal = ends_by_last_event(trace);
  for (std::size_t i = branch_; i < depth_; ++i) {
    const Event& e = trace.events[i];
    Node& n = nodes_[i];
    const bool was_planned = i < planned && i + 1 >= floor_;  // of what is above a unit, only the choices are known
    if (was_planned && !strayed_at_ && strays(n.taken.operation, e)) strayed_at_ = e.pc;
    n.taken = {view_of(e), {e.thread, e.alternative}, fatal && i + 1 == depth_};
    n.enabled = e.enabled;
    n.settled.clear();
    if (i == branch_ && planned > 0) continue;
    n.sleep.clear();
    n.ended.clear();
    if (i >= planned) {
      n.done.clear();
      n.owed = {};
      n.owes_all = false;
      n.late.reset();
      n.plan.clear();
    }
    if (i > 0 && uses_sleep_sets()) fall_asleep(i);
  }
}

void ReversalSearch::fall_asleep(std::size_t i) {
  const Node& from = nodes_[i - 1];
  Node& n = nodes_[i];
  auto still = [&](const Transition& t) {
    if (!t.conflicts(from.taken)) n.sleep.push_back(t);
  };
  std::for_each(from.sleep.begin(), from.sleep.end(), still);
  std::for_each(from.done.begin(), from.done.end(), still);
  auto has_ended = [&](const Transition& t) {
    auto of_its_thread = [&](const Transition& s) { return s.choice.thread == t.choice.thread; };
    if (t.fatal && std::any_of(n.sleep.begin(), n.sleep.end(), of_its_thread)) n.ended.push_back(t);
  };
  std::for_each(from.ended.begin(), from.ended.end(), has_ended);
  std::for_each(from.done.begin(), from.done.end(), has_ended);
}

// At each node of the path, branches count alike.
double ReversalSearch::seen() const {
  double seen = 1;
  for (std::size_t i = depth_; i-- > floor_;) {
    const Node& n = nodes_[i];
    double owed = n.late ? 1 : 0;
    for (std::uint32_t b = n.owed.first; b != WakeupForest::kNone; b = forest_[b].next) ++owed;
    const auto done = static_cast<double>(n.done.size());
    seen = (done + seen) / (done + 1 + owed);
  }
  return seen;
}

Progress ReversalSearch::progress() const {
  Progress p;
  p.depth = depth_;
  p.pending = forest_.size();
  p.estimated_executions = static_cast<double>(runs_) / seen();
  return p;
}

}  // namespace heddle
