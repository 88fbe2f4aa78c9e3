// Safe sets over stored states.
//
// Paper: Cirisci, Enea, Farzan, Mutluergil: A Pragmatic Approach to Stateful Partial Order Reduction (001, CAV 2023), algorithm 1.
// Idea: a step that nobody else can notice is taken alone; only where there is none, everything is.
//
//   symbol in the paper       name here
//   Stack                     the path
//   L_r, notVisited(s)        the table of visited states
//   invisible action          is_safe()
//   safeSet(s)                safe_set()
//   irreducible state         one whose safe set is everything enabled
//
// Deviations
//  - Steps without any operation on a shared object are no transitions here to begin with: a thread runs on to its next visible operation. What is
//    left as invisible: creating and joining threads, leaving a barrier, the end of a once, choosing.
//  - A run chooses by itself how it goes on (its order), so that a visible step may have been taken before the invisible one is: both are then explored.
//  - A try-join tells whether a thread has ended, and so whether it has made its last step: in a program that has one, nothing is
//    invisible. Seen too late, the search starts over.
//  - Cycles and ends: stateful_search.h. What somebody else's exit() finds of a thread's own steps is not told apart.
#pragma once
#include "explore/reduction/stateful_search.h"

namespace heddle {

class Spor : public StatefulSearch {
 public:
  using StatefulSearch::StatefulSearch;
  std::string_view name() const override { return "spor"; }

 protected:
  ThreadSet owed(std::size_t i) override { return safe_set(i); }
  void entered(std::size_t i) override;

  ThreadSet safe_set(std::size_t i);
  bool is_reducible(std::size_t i) { return !(safe_set(i) == node(i).enabled); }

 private:
  bool is_safe(Op op) const;

  bool asks_for_ends_ = false;  // a try-join has been seen
  bool used_ = false;           // a safe set was smaller than everything
};

}  // namespace heddle
