// A part of a search that somebody else can explore, and what comes of it for the rest: plain values that can be sent.
//
// The tree of a search is divided into a trunk and units. The trunk holds the states that more than one unit lies below; a unit is
// everything below one branch of a trunk state, a branch with which a plan ends. Whoever explores a unit owns the states in it. A race
// whose first half lies in the trunk is reversed there: it travels as a Reversal. A unit that is too large for one is cut at its
// state nearest the root that owes something: that state and those above it join the trunk, and the unit goes on below the
// branch it is in.
//
// Branches of a state are ordered, and the order alone decides who sleeps: in a branch, what the branches before it do. It does
// not matter which is explored first, or whether they are explored at the same time.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "explore/reduction/wakeup_tree.h"

namespace heddle {

// A transition that is owed, and what is to follow it (wakeup trees; nothing: whatever follows).
struct Plan {
  Transition transition;
  std::vector<Plan> below;
};

// What is known of a trunk state on the way to a unit: the branches around the one that leads to it.
struct Fork {
  std::uint32_t depth = 0;
  std::vector<Transition> earlier;  // complete: these decide what sleeps
  std::vector<Transition> later;    // those that have been run and have no plan of their own; spares reversals that are known already
};

struct Unit {
  std::vector<Choice> prefix;        // to the unit's first state
  std::optional<Transition> branch;  // the last step of it; none: the unit is the whole search
  std::vector<Transition> sleep;     // before that step
  std::vector<Fork> forks;           // ascending depth
  std::uint32_t fresh = 0;           // steps from here on have not been run in this order

  // States from here on belong to the unit.
  std::size_t floor() const { return prefix.size(); }
};

// What a race asks of a trunk state.
struct Reversal {
  enum class Kind : std::uint8_t {
    Sequence,  // steps that have to happen, in an order that respects `after`; not if what is planned leads there
    AnyOf,     // one of these branches; if there is none, the first. Only those that are needed may do so by being asleep
    AllOf,     // every one of these branches
  };
  struct Step {
    Transition transition;
    bool needed = true;                // Sequence: must be part of it; the others only where they wake who sleeps. AnyOf: where runs may be cut, leads to the second half
    std::vector<std::uint32_t> after;  // Sequence: steps that come right before it, as indices
  };
  std::uint32_t depth = 0;  // of the trunk state, on the way to the unit
  Kind kind = Kind::Sequence;
  bool next = false;        // belongs right behind the branch that leads to the unit: another alternative of it
  std::vector<Step> steps;
};

// What becomes of a unit that is cut: states that join the trunk, from the unit's floor down.
struct Cut {
  struct State {
    std::vector<Transition> done;  // branches that are finished
    Transition taken;              // the one that the unit goes on in
    std::vector<Plan> owed;
  };
  std::vector<State> states;
  std::vector<Plan> rest;          // what had been planned behind the last `taken`: for whoever has to begin there again
};

}  // namespace heddle
