// What de-spor and dl-spor share: the stored transition system, and when the threads taken from a state are a source set.
//
//   symbol in 001             name here
//   L_r                       graph_
//   s.current[t]              Sets::current[t]
//   s.done, s.backtrack       Node::done, update_back()'s answer
//   T ⊂ s.done, closed        has_closed_subset()
//
// A set of done threads T whose current sets stay inside of T is persistent: whatever the others do first, nothing of it conflicts with T's
// steps. Deviations from the paper, for both:
//  - Dependence is `conflict` of wire/dependency.h: steps that only enable each other are never possible at once, or commute where they are.
//  - 001 assumes that there are no deadlocks. The next operations of threads blocked in a final state, and all the way round a cycle, count as
//    occurring (trap 6).
//  - An exit that comes only after all other threads have ended depends on everything they do, and can never come before it: such conflicts do not count
//    (Spor::may_come_either_way). Nearly every program ends so; with them no state would have a source set.
//  - A thread is taken with all its alternatives; current sets are per thread.
//  - Where a conflicting step is that of a thread which is not enabled, 001 takes everybody. Here whoever that thread waits for is taken instead, if it is
//    known (Spor::who_must_move): with him in T, no run of the others comes to that step. (Valmari calls this a necessary enabling set.)
//  - In a reducible state 001 takes the safe set and nothing else. Here the run may have taken something else first (spor.h). That may be a source set by itself, and is
//    judged as in any other state; only where it is none, the safe set is taken as well.
#pragma once
#include "explore/reduction/spor.h"
#include "explore/reduction/state_graph.h"

namespace heddle {

class SourceSetSearch : public Spor {
 public:
  using Spor::Spor;
  StoredFacts stored() const override { return {graph_.transitions(), graph_.bytes()}; }

 protected:
  static constexpr int kAnybody = wire::kMaxThreads - 1;  // in a current set: never enabled, so that everybody is taken
  struct Sets {
    StateId id = kNowhere;
    ThreadSet judged;                 // dl-spor: whose current sets are known
    std::vector<ThreadSet> current;   // thread → who later does something that conflicts with its step here
  };

  void entered(std::size_t i) override;
  void took(std::size_t i, LabelId label, const Arrival& arrival) override;
  void left(std::size_t i) override;
  void forget() override;
  bool is_known(wire::Fingerprint state) const override { return graph_.find(state) != kNowhere; }

  // `other` does something later that conflicts with the thread's step at node i: who has to be taken as well.
  void add_conflict(std::size_t i, int thread, int other);
  // Fig. 2, UpdateBack: done if that is a source set; else the safe set if there is one; else what conflicts lead to, or everything if they lead to who is
  // not enabled.
  ThreadSet update_back(std::size_t i);
  bool has_taken_safe_set(std::size_t i) const;         // of a reducible state: whatever else has been taken, nothing more is owed
  bool leads_outside(std::size_t i, int thread) const;  // as far as is known, its conflicts lead to somebody who has not been taken

  Sets& sets(std::size_t i) { return sets_[i]; }
  StateGraph& graph() { return graph_; }

 private:
  bool has_closed_subset(std::size_t i);
  void store_blocked(StateId state, const std::vector<LabelId>& next, const ThreadSet& enabled);

  StateGraph graph_;
  std::vector<Sets> sets_;  // by node
};

}  // namespace heddle
