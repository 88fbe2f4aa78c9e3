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
//    left as invisible: accesses to memory of its own or under the lock that protects it, creating and joining threads, leaving a barrier, the end of a once, choosing.
//  - A run chooses by itself how it goes on (its order), so that a visible step may have been taken before the invisible one is: both are then explored
//    (but see source_set_search.h).
//  - 001 takes which objects are shared from the classes of the program. Here memory counts as protected (protection.h) until an access is seen, or about to
//    be made, that breaks the rule. Seen too late, when something has been left out for it (Assumption), the search starts over; the set of protected memory only shrinks.
//  - A try-join tells whether a thread has ended, and so whether it has made its last step; an exit ends everybody. In a program that has a try-join, or
//    an exit by a thread that has not joined all others, nothing is invisible. Seen too late, the search starts over. (Which threads have been joined is
//    part of a state, so that the path by which a state is reached first says it for all.)
//  - Cycles and ends: stateful_search.h.
//
// Searches that derive from this one can do without safe sets (safeSet(s) = enabled(s), the DL-JPF and DE-JPF of 001 sec. 5): then no action counts as invisible, and
// which memory is protected is nobody's business. Who a blocked thread waits for, and whether an exit comes last, is followed all the same.
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "explore/reduction/protection.h"
#include "explore/reduction/standing.h"
#include "explore/reduction/stateful_search.h"

namespace heddle {

class Spor : public StatefulSearch {
 public:
  explicit Spor(StatefulOptions options, bool safe_sets = true) : StatefulSearch(std::move(options)), safe_sets_(safe_sets) {}
  std::string_view name() const override { return "spor"; }

 protected:
  ThreadSet owed(std::size_t i) override { return take_safe_set(i); }
  ThreadSet at_most(std::size_t i) override { return safe_set(i); }
  void entered(std::size_t i) override;
  void took(std::size_t i, LabelId label, const Arrival& arrival) override;

  ThreadSet safe_set(std::size_t i) const;
  ThreadSet take_safe_set(std::size_t i);  // the same; nothing else is owed, which counts on what is known so far
  // Conflicting steps that can come in either order. As long as nobody was seen to exit without having waited for all others to end, an exit comes after
  // every step of theirs; should one be seen later, the search starts over.
  bool may_come_either_way(LabelId a, LabelId b);
  // An enabled thread without whose steps `thread` does not move in any run from node i: itself, or whom it waits for, or who creates it. -1 if none is known.
  int who_must_move(std::size_t i, int thread);
  bool is_reducible(std::size_t i) const { return !(safe_set(i) == node(i).enabled); }

 private:
  // What is taken for granted until something else is seen. If something was left out for it, the search then starts over.
  enum Assumption : std::uint8_t {
    kExitsComeLast = 1,    // and nobody else notices that a thread has ended
    kOneCreator = 2,       // of each thread
    kLocksHold = 4,        // none is initialised while somebody holds it
    kMemoryProtected = 8,
  };
  using Assumptions = std::uint8_t;

  bool is_safe(const OpView& operation) const;
  bool may_exit_early(std::size_t i);
  void follow(std::size_t i);
  Assumptions note_next(std::size_t i, std::size_t thread);
  Assumptions note(LabelId label, const Holding& held, bool alone);
  bool note_creation(const OpView& creation);
  void give_up(Assumptions broken);
  int waits_for(std::size_t i, int thread);
  int creator_of(std::size_t i, int thread) const;

  const bool safe_sets_;
  Standings standings_;
  std::vector<Standing> standing_;  // by node
  Protection protection_;
  std::vector<std::optional<Holding>> noted_;  // label → with what it was noted last
  std::vector<std::uint8_t> creators_;  // thread → who creates it; kNoThread: nobody yet, or several
  ThreadSet created_by_several_;
  bool ends_matter_ = false;    // a try-join has been seen, or an exit that waits for nobody
  Assumptions used_ = 0;        // something was left out because of these
};

}  // namespace heddle
