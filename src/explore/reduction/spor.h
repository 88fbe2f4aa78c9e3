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
//    left as invisible: accesses to memory of its own, creating and joining threads, leaving a barrier, the end of a once, choosing.
//  - A run chooses by itself how it goes on (its order), so that a visible step may have been taken before the invisible one is: both are then explored.
//  - 001 takes which objects are shared from the classes of the program. Here an address counts as a thread's own until another thread is
//    seen to access it, or about to. Seen too late, the search starts over; the set of shared addresses only grows. That is enough: had the
//    first access of another thread not been seen, everything up to it would be covered, and it would be that thread's next operation in some
//    explored state.
//  - A try-join tells whether a thread has ended, and so whether it has made its last step; an exit ends everybody. In a program that has a try-join, or
//    an exit by a thread that has not joined all others, nothing is invisible. Seen too late, the search starts over. (Which threads have been joined is
//    part of a state, so that the path by which a state is reached first says it for all.)
//  - Cycles and ends: stateful_search.h.
#pragma once
#include <unordered_map>

#include "explore/reduction/stateful_search.h"

namespace heddle {

class Spor : public StatefulSearch {
 public:
  using StatefulSearch::StatefulSearch;
  std::string_view name() const override { return "spor"; }

 protected:
  ThreadSet owed(std::size_t i) override { return safe_set(i); }
  ThreadSet at_most(std::size_t i) override { return safe_set(i); }
  void entered(std::size_t i) override;

  ThreadSet safe_set(std::size_t i);
  // Conflicting steps that can come in either order. As long as nobody was seen to exit without having waited for all others to end, an exit comes after
  // every step of theirs; should one be seen later, the search starts over.
  bool may_come_either_way(LabelId a, LabelId b);
  bool is_reducible(std::size_t i) { return !(safe_set(i) == node(i).enabled); }

 private:
  bool is_safe(const OpView& operation) const;
  bool may_exit_early(std::size_t i) const;
  bool is_own(const OpView& access) const;
  bool note(const OpView& operation);
  bool share(const OpView& access);

  std::unordered_map<Address, std::uint8_t> owners_;  // of eight bytes; kNoThread: shared
  std::size_t noted_ = 0;       // labels
  bool ends_matter_ = false;    // a try-join has been seen, or an exit that waits for nobody
  bool used_ = false;           // a safe set was smaller than everything
};

}  // namespace heddle
