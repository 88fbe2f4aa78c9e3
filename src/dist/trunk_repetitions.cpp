// What two units would explore, or have explored: see trunk.h on alternatives that are told of late.
#include "dist/trunk_tree.h"

namespace heddle {

// --- not yet: dropped ------------------------------------------------------------------------------------------------

// An alternative that was inserted in front of a plan may be what that plan leads through. What is behind it there is explored behind the alternative itself.
// Answers the first branch on the way that sleeps where it is taken. REQUIRES that nobody on the way is unknown.
//
// But what the first run below a leaf did in a state cannot be dropped, asleep or not: had it been known to sleep, that run would have done something else there, and only
// races behind it say what. (It is not known to sleep where it conflicts with some alternative of a step before, though not with the one that came.)
Trunk::Branch* Trunk::repetition_on_the_way(Branch& branch) {
  std::vector<Branch*> way;
  for (Branch* b = &branch; b->from; b = b->from->into) way.push_back(b);
  std::vector<const Branch*> asleep;
  for (auto b = way.rbegin(); b != way.rend(); ++b) {
    const Choice choice = (*b)->transition.choice;
    auto is_this = [&](const Branch* s) { return s->transition.choice.thread == choice.thread && s->transition.choice.alternative == choice.alternative; };
    const State& state = *(*b)->from;
    const bool was_first = state.into->leaf && state.branches.front().get() == *b;
    if (!was_first && choice.alternative != wire::kAnyAlternative && std::any_of(asleep.begin(), asleep.end(), is_this)) return *b;
    fall_asleep(asleep, **b);
  }
  return nullptr;
}

// Nobody needs to explore a waiting unit: it lies behind a branch that sleeps. So does whatever else does, and need not wait for it.
void Trunk::drop(Branch& unit, Branch& repeated) {
  --waiting_;
  ++given_;  // and finished at once
  const std::uint32_t depth = repeated.from->depth;
  for (Branch* b = &unit; b->from && b->from->depth >= depth; b = b->from->into) {
    b->seen = b->known = true;
    b->covers.clear();  // and covered by what sleeps
    clear(*b);
  }
  finish(unit);
}

// --- already: counted ------------------------------------------------------------------------------------------------

void Trunk::settle(Branch& unit, std::uint64_t runs) {
  unit.runs += runs;
  if (is_made_twice(unit)) made_twice_ += runs;
}

bool Trunk::is_made_twice(const Branch& unit) {
  for (const Branch* b = &unit; b->from; b = b->from->into)
    if (b->repeats) return true;
  return false;
}

std::uint64_t Trunk::runs_behind(const Branch& branch) {
  std::uint64_t runs = 0;
  std::vector<const Branch*> left = {&branch};
  while (!left.empty()) {
    const Branch* b = left.back();
    left.pop_back();
    runs += b->runs;
    if (b->state)
      for (const auto& below : b->state->branches) left.push_back(below.get());
  }
  return runs;
}

// The alternative was inserted in front of branches that are there already: does it sleep where one of them takes it?
void Trunk::look_for_repetitions(const Branch& alternative) {
  std::vector<Branch*> left;
  const auto& siblings = alternative.from->branches;
  for (std::size_t i = alternative.from->index_of(&alternative) + 1; i < siblings.size(); ++i) left.push_back(siblings[i].get());
  while (!left.empty()) {
    Branch* b = left.back();
    left.pop_back();
    if (b->repeats) continue;
    const Choice choice = b->transition.choice, own = alternative.transition.choice;
    if (choice.thread == own.thread && choice.alternative == own.alternative && own.alternative != wire::kAnyAlternative) {
      b->repeats = true;
      made_twice_ += runs_behind(*b);
    } else if (b->state && !alternative.transition.conflicts(b->transition)) {
      for (const auto& below : b->state->branches) left.push_back(below.get());
    }
  }
}

}  // namespace heddle
