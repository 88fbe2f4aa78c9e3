#include "dist/trunk.h"

#include <algorithm>

#include "base/check.h"
#include "dist/trunk_tree.h"
#include "explore/reduction/wakeup_word.h"

namespace heddle {

// A word that asks to be planned, and which of its steps it needs for that.
class Trunk::Word {
 public:
  explicit Word(const std::vector<Reversal::Step>& asked) : asked_(asked) {
    for (const Reversal::Step& s : asked) steps_.push_back({s.transition, s.needed});
  }

  // Is t a weak initial? If not, the step that conflicts with it is needed: it wakes t.
  bool may_begin_with(const Transition& t) {
    const std::optional<std::size_t> waker = waker_of(t, steps_);
    if (waker) steps_[*waker].needed = true;
    return !waker;
  }

  void take_step_of(std::uint8_t thread) { heddle::take_step_of(thread, steps_); }

  Steps needed() {
    for (std::size_t k = steps_.size(); k-- > 0;)
      if (steps_[k].needed)
        for (std::uint32_t j : asked_[k].after) steps_[j].needed = true;
    Steps some, all;
    for (const Step& s : steps_) {
      if (s.gone) continue;
      all.push_back(s.transition);
      if (s.needed) some.push_back(s.transition);
    }
    return some.empty() ? all : some;
  }

 private:
  struct Step {
    Transition transition;
    bool needed;
    bool gone = false;
  };
  const std::vector<Reversal::Step>& asked_;
  std::vector<Step> steps_;
};

Trunk::Trunk(Sleep sleep) : sleeps_(sleep == Sleep::Yes), root_(std::make_unique<Branch>()) { wait(*root_); }
Trunk::~Trunk() {
  if (root_) discard(std::move(root_->state));
}
Trunk::Trunk(Trunk&&) noexcept = default;
Trunk& Trunk::operator=(Trunk&&) noexcept = default;

bool Trunk::finished() const { return root_->complete; }

Trunk::Branch* Trunk::find(UnitId id) const {
  const auto it = by_id_.find(id);
  HEDDLE_CHECK(it != by_id_.end(), "a unit that nobody holds");
  return it->second;
}

bool Trunk::holds(UnitId id) const {
  const auto it = by_id_.find(id);
  return it != by_id_.end() && it->second->phase == Branch::Phase::Given;
}

std::uint32_t Trunk::depth_of(UnitId id) const {
  const Branch* b = find(id);
  return b->from ? b->from->depth : 0;
}

// --- giving out ------------------------------------------------------------------------------------------------------

void Trunk::wait(Branch& branch) {
  branch.phase = Branch::Phase::Waiting;
  if (branch.id == 0) branch.id = next_id_++;
  by_id_[branch.id] = &branch;
  ready_.insert({branch.from ? branch.from->depth : 0, branch.id});
  ++waiting_;
}

// Who keeps a unit from being given out? Whoever sleeps in it must be known exactly: what it may have turned out to be decides
// whether it sleeps.
Trunk::Branch* Trunk::obstacle_of(const Branch& branch) const {
  for (const Branch* b = &branch; b->from; b = b->from->into) {
    if (!b->seen && b->scout != 0) return const_cast<Branch*>(b);
    if (!sleeps_) continue;
    for (const auto& earlier : b->from->branches) {
      if (earlier.get() == b) break;
      if (!earlier->known) return earlier.get();
    }
  }
  return nullptr;
}

// It has been seen, is known, or nobody is about to see it: what was behind it may have another obstacle, or none.
void Trunk::clear(Branch& obstacle) {
  for (const UnitId id : std::exchange(obstacle.behind, {})) {
    const auto it = by_id_.find(id);
    if (it == by_id_.end() || it->second->phase != Branch::Phase::Waiting) continue;
    ready_.insert({it->second->from ? it->second->from->depth : 0, id});
  }
}

std::optional<Command> Trunk::hand_out() {
  while (!ready_.empty()) {
    const UnitId id = ready_.begin()->second;
    ready_.erase(ready_.begin());
    Branch* branch = find(id);
    if (Branch* obstacle = obstacle_of(*branch)) {
      obstacle->behind.push_back(id);
      continue;
    }
    if (Branch* repeated = may_repeat_ ? repetition_on_the_way(*branch) : nullptr) {
      drop(*branch, *repeated);
      continue;
    }
    --waiting_;
    ++given_;
    branch->phase = Branch::Phase::Given;
    for (Branch* b = branch; b->from; b = b->from->into)
      if (!b->seen) b->scout = id;
    Command command;
    command.kind = Command::Kind::Explore;
    command.id = id;
    command.unit = unit_of(*branch);
    return command;
  }
  return std::nullopt;
}

Unit Trunk::unit_of(const Branch& branch) const {
  Unit unit;
  if (!branch.from) return unit;
  unit.branch = branch.transition;
  for (const Branch* b : sleepers(*branch.from)) unit.sleep.push_back(b->transition);
  unit.fresh = branch.from->depth;
  unit.prefix.reserve(branch.from->depth + 1);
  for (const Branch* b = &branch; b->from; b = b->from->into) {
    const State& s = *b->from;
    const std::size_t at = s.index_of(b);
    Fork fork{s.depth, {}, {}};
    fork.earlier.reserve(at);
    for (std::size_t i = 0; i < s.branches.size(); ++i) {
      if (i < at) fork.earlier.push_back(s.branches[i]->transition);
      else if (i > at && s.branches[i]->leaf && s.branches[i]->known) fork.later.push_back(s.branches[i]->transition);
    }
    if (!fork.earlier.empty() || !fork.later.empty()) unit.forks.push_back(std::move(fork));
    unit.prefix.push_back(b->transition.choice);
    if (!b->seen) unit.fresh = s.depth;
  }
  std::reverse(unit.forks.begin(), unit.forks.end());
  std::reverse(unit.prefix.begin(), unit.prefix.end());
  return unit;
}

// A unit that was cut begins again where it was cut, with all that was planned there: nobody would plan it again. What a snapshot
// tells is as good as a cut.
void Trunk::take_back(UnitId id) {
  Branch* branch = find(id);
  if (branch->snapshot) {
    settle(*branch, std::exchange(branch->kept, 0));
    cut(*branch, *std::exchange(branch->snapshot, std::nullopt));
    branch = find(id);
  }
  --given_;
  for (Branch* b = branch; b; b = b->from ? b->from->into : nullptr)
    if (b->scout == id) b->scout = 0, clear(*b);
  branch->seen = false;  // its races are to be looked at again
  if (branch->rest.empty()) return wait(*branch);
  const std::vector<Plan> rest = std::exchange(branch->rest, {});
  by_id_.erase(id);
  branch->id = 0;
  open(*branch);
  for (const Plan& plan : rest) add_plan(*branch->state, branch->state->branches.size(), plan);
}

// --- what workers say ------------------------------------------------------------------------------------------------

bool Trunk::apply(const Report& report) {
  Branch* unit = find(report.id);
  std::vector<Steps> voided;
  std::vector<std::pair<Branch*, std::vector<Reversal::Step>>> again;
  if (!report.path.empty()) {
    for (Branch* b = unit; b->from; b = b->from->into)
      if (!b->known) std::move(b->covers.begin(), b->covers.end(), std::back_inserter(again)), b->covers.clear();
    if (!settle_path(unit, report.path, voided)) return false;
  }
  for (const Reversal& r : report.reversals)
    if (!reverse(*unit, r)) return false;
  for (const Steps& word : voided) {
    std::vector<Reversal::Step> steps;
    for (const Transition& t : word) steps.push_back({t, true, {}});
    insert(*unit, false, steps);
  }
  for (const auto& [via, steps] : again) insert(*via, false, steps);
  settle(*unit, report.settled.executions);
  if (report.cut) {
    unit->snapshot.reset();  // of a unit that was larger
    unit->kept = 0;
    if (!cut(*unit, *report.cut)) return false;
  }
  if (report.snapshot) {
    if (report.snapshot->states.empty()) return false;
    Branch* taken = find(report.id);
    taken->snapshot = *report.snapshot;
    taken->kept = report.kept.executions;
  }
  if (report.finished) finish(*find(report.id));
  return true;
}

// The unit has made its first run. If a step on the way ended it, the unit is what that step is, and whatever was planned
// behind it has to do without: `voided`.
bool Trunk::settle_path(Branch*& unit, const Steps& path, std::vector<Steps>& voided) {
  std::vector<Branch*> way;
  std::uint32_t fresh = unit->from ? unit->from->depth : 0;
  for (const Branch* b = unit; b->from; b = b->from->into)
    if (!b->seen) fresh = b->from->depth;
  for (Branch* b = unit; b->from && b->from->depth >= fresh; b = b->from->into) way.push_back(b);
  std::reverse(way.begin(), way.end());
  if (path.size() > way.size()) return false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (!way[i]->transition.same(path[i].choice)) return false;
    way[i]->transition = path[i];
    way[i]->seen = way[i]->known = true;
    way[i]->scout = 0;
    clear(*way[i]);
  }
  if (path.size() == way.size()) return true;
  Branch* end = way[path.size() - 1];
  const UnitId id = unit->id;
  Steps word;
  for (auto& b : end->state->branches) collect_plans(*b, word, voided);
  std::erase_if(voided, [&](const Steps& w) {
    return std::any_of(w.begin(), w.end(), [&](const Transition& t) { return wire::dependent(end->transition.operation, t.operation); });
  });
  branches_ -= end->state->branches.size();
  end->state.reset();
  end->leaf = true;
  end->phase = Branch::Phase::Given;
  end->id = id;
  by_id_[id] = end;
  unit = end;
  return true;
}

void Trunk::collect_plans(Branch& b, Steps& word, std::vector<Steps>& words) {
  word.push_back(b.transition);
  if (b.state) {
    for (auto& below : b.state->branches) collect_plans(*below, word, words);
    branches_ -= b.state->branches.size();
  } else {
    words.push_back(word);
    if (b.id != 0) {
      if (b.phase == Branch::Phase::Waiting) --waiting_;
      ready_.erase({b.from->depth, b.id});
      by_id_.erase(b.id);
    }
  }
  word.pop_back();
}

bool Trunk::reverse(Branch& unit, const Reversal& reversal) {
  Branch* via = &unit;
  if (!via->from || reversal.depth > via->from->depth || reversal.steps.empty()) return false;
  while (via->from->depth > reversal.depth) via = via->from->into;
  State& state = *via->from;
  const std::size_t at = reversal.next ? state.index_of(via) + 1 : state.branches.size();
  if (reversal.kind != Reversal::Kind::Sequence) return insert_branches(state, at, reversal);
  for (std::size_t k = 0; k < reversal.steps.size(); ++k)
    for (std::uint32_t j : reversal.steps[k].after)
      if (j >= k) return false;
  insert(*via, reversal.next, reversal.steps);
  return true;
}

// As Optimal::insert: down along weak initials; what leads into a leaf is covered, the rest becomes the youngest branch.
void Trunk::insert(Branch& via, bool next, const std::vector<Reversal::Step>& steps) {
  State& from = *via.from;
  Word word(steps);
  auto covers = [&](Branch& b) {
    if (!word.may_begin_with(b.transition)) return false;
    if (!b.known) b.covers.emplace_back(&via, steps);
    return true;
  };
  const std::size_t here = from.index_of(&via);
  for (Branch* b : sleepers(from))
    if (covers(*b)) return;
  for (std::size_t i = 0; i < here; ++i)
    if (covers(*from.branches[i])) return;
  State* state = &from;
  for (std::size_t i = here + 1; i < state->branches.size();) {
    Branch& b = *state->branches[i];
    if (b.leaf ? covers(b) : !word.may_begin_with(b.transition)) {
      if (b.leaf) return;
      ++i;
    } else if (b.leaf) {
      ++i;
    } else {
      word.take_step_of(b.transition.choice.thread);
      state = b.state.get();
      i = 0;
    }
  }
  const Steps needed = word.needed();
  if (needed.empty()) return;
  add_chain(*state, state == &from && next ? here + 1 : state->branches.size(), needed, 0);
}

bool Trunk::insert_branches(State& state, std::size_t at, const Reversal& reversal) {
  const std::vector<Branch*> asleep = sleepers(state);
  auto is_covered = [&](const Reversal::Step& s) {
    auto same = [&](const auto& b) { return b->transition.same(s.transition.choice); };
    return (s.needed && std::any_of(asleep.begin(), asleep.end(), same)) || std::any_of(state.branches.begin(), state.branches.end(), same);
  };
  if (reversal.kind == Reversal::Kind::AllOf) {
    for (const Reversal::Step& s : reversal.steps)
      if (!is_covered(s)) add_chain(state, at++, {s.transition}, 0);
    return true;
  }
  if (std::any_of(reversal.steps.begin(), reversal.steps.end(), is_covered)) return true;
  add_chain(state, at, {reversal.steps.front().transition}, 0);
  return true;
}

bool Trunk::cut(Branch& unit, const Cut& cut) {
  if (cut.states.empty()) return false;
  const UnitId id = unit.id;
  Branch* at = &unit;
  for (const Cut::State& from : cut.states) {
    at->id = 0;
    open(*at);
    State& state = *at->state;
    for (const Transition& t : from.done) {
      Branch& b = add(state, state.branches.size(), t);
      b.phase = Branch::Phase::Finished;
      b.seen = b.known = b.complete = true;
    }
    at = &add(state, state.branches.size(), from.taken);
    at->seen = at->known = true;
    at->phase = Branch::Phase::Given;
    for (const Plan& p : from.owed) add_plan(state, state.branches.size(), p);
  }
  at->id = id;
  at->rest = cut.rest;
  by_id_[id] = at;
  return true;
}

void Trunk::finish(Branch& branch) {
  --given_;
  by_id_.erase(branch.id);
  for (Branch* b = &branch; b->from; b = b->from->into)
    if (b->scout == branch.id) b->scout = 0, clear(*b);
  branch.id = 0;
  branch.rest.clear();
  branch.snapshot.reset();
  branch.kept = 0;
  branch.phase = Branch::Phase::Finished;
  branch.seen = branch.known = true;
  clear(branch);
  complete(&branch);
}

// The branch is complete; so are those above it that lead to nothing else. States behind a leaf are then forgotten; those of
// a plan may still be asked.
void Trunk::complete(Branch* b) {
  for (;;) {
    b->complete = true;
    if (b->leaf && b->state) {
      b->runs = runs_behind(*b);
      branches_ -= b->state->branches.size();
      discard(std::move(b->state));
      b->phase = Branch::Phase::Finished;
    }
    if (!b->from) return;
    const auto& siblings = b->from->branches;
    if (!std::all_of(siblings.begin(), siblings.end(), [](const auto& s) { return s->complete; })) return;
    b = b->from->into;
  }
}

// --- the tree --------------------------------------------------------------------------------------------------------

void Trunk::open(Branch& branch) {
  branch.phase = Branch::Phase::Open;
  branch.state = std::make_unique<State>();
  branch.state->into = &branch;
  branch.state->depth = branch.from ? branch.from->depth + 1 : 0;
}

// Who sleeps in a state: branches in front of those that lead to it, unless something on the way conflicts with them.
std::vector<Trunk::Branch*> Trunk::sleepers(const State& state) const {
  if (!sleeps_) return {};
  std::vector<const Branch*> way;
  for (const Branch* b = state.into; b->from; b = b->from->into) way.push_back(b);
  std::vector<Branch*> asleep;
  for (auto b = way.rbegin(); b != way.rend(); ++b) fall_asleep(asleep, **b);
  return asleep;
}

Trunk::Branch& Trunk::add(State& state, std::size_t at, const Transition& t) {
  auto branch = std::make_unique<Branch>();
  branch->from = &state;
  branch->transition = t;
  may_repeat_ |= sleeps_ && has_alternatives(t.operation.op);
  ++branches_;
  return **state.branches.insert(state.branches.begin() + static_cast<std::ptrdiff_t>(at), std::move(branch));
}

void Trunk::reopen(State& state) {
  for (Branch* b = state.into; b && b->complete; b = b->from ? b->from->into : nullptr) b->complete = false;
}

void Trunk::add_plan(State& state, std::size_t at, const Plan& plan) {
  Branch& b = add(state, at, plan.transition);
  if (plan.below.empty()) return wait(b);
  b.leaf = false;
  open(b);
  for (const Plan& p : plan.below) add_plan(*b.state, b.state->branches.size(), p);
}

void Trunk::add_chain(State& state, std::size_t at, const Steps& steps, std::size_t from) {
  reopen(state);
  State* s = &state;
  for (std::size_t i = from; i < steps.size(); ++i) {
    Branch& b = add(*s, s == &state ? at : 0, steps[i]);
    if (s == &state && sleeps_) look_for_repetitions(b);
    if (i + 1 == steps.size()) return wait(b);
    b.leaf = false;
    open(b);
    s = b.state.get();
  }
}

// One by one: a chain of states is as long as a run, too long for destructors that call each other.
void Trunk::discard(std::unique_ptr<State> state) {
  std::vector<std::unique_ptr<State>> left;
  if (state) left.push_back(std::move(state));
  while (!left.empty()) {
    const std::unique_ptr<State> s = std::move(left.back());
    left.pop_back();
    for (auto& b : s->branches)
      if (b->state) left.push_back(std::move(b->state));
  }
}

// All branches of a state count alike.
double Trunk::seen(const std::function<double(UnitId)>& within) const {
  double sum = 0;
  std::vector<std::pair<const Branch*, double>> left = {{root_.get(), 1}};
  while (!left.empty()) {
    const auto [b, weight] = left.back();
    left.pop_back();
    if (b->complete) sum += weight;
    else if (b->phase == Branch::Phase::Given) sum += weight * within(b->id);
    else if (b->state)
      for (const auto& below : b->state->branches) left.emplace_back(below.get(), weight / static_cast<double>(b->state->branches.size()));
  }
  return sum;
}

}  // namespace heddle
