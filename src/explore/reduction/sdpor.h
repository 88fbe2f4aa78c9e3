// Stateful dynamic partial order reduction with the visible operation dependency graph.
//
// Paper: Yang, Chen, Gopalakrishnan, Kirby: Efficient Stateful Dynamic Partial Order Reduction (000, SPIN 2008), figs. 5 to 7; 004 ch. 4.
// Idea: dpor, and where a run comes to a known state, all operations that may follow there are taken from a small graph of operations
// that follow each other somewhere, and tell the path what they would have told it had they been run again.
//
//   symbol in the paper           name here
//   S                             the path
//   H                             the table of visited states
//   G                             follows_: label → labels that came right after it in some run
//   U (fig. 5, line 5)            summary()
//   UPDATEBACKTRACKSETS (fig. 6)  learned() for steps of a run, tell_all() for the summary
//   s.backtrack                   backtrack_
//   L, NEXTLOCAL, s_a (fig. 7)    in the target (--state)
//
// Deviations
//  - Fig. 6 takes the latest dependent step, also where that comes before t for other reasons; here every immediate race of the run, as in dpor.h. Threads that are
//    disabled take part (trap 1; 000 says enabled).
//  - The summary has lost the order of what it was made from, so that all conflicting steps of the path are told, not the last (trap 3).
//  - The operations that threads are left with at the end of a run, blocked or ended with it, follow its last step.
//  - Cycles, ends, alternatives: stateful_search.h.
#pragma once
#include <unordered_set>

#include "explore/reduction/stateful_search.h"
#include "model/causality.h"

namespace heddle {

class Sdpor final : public StatefulSearch {
 public:
  using StatefulSearch::StatefulSearch;
  std::string_view name() const override { return "sdpor"; }
  StoredFacts stored() const override { return {edges_.size(), edges_.size() * 20}; }  // of the graph of operations

 private:
  ThreadSet owed(std::size_t i) override { return backtrack_[i]; }
  void entered(std::size_t i) override;
  void took(std::size_t i, LabelId label, const Arrival& arrival) override;
  void learned(const Trace& trace, std::size_t fresh) override;
  void forget() override;

  void follow(LabelId before, LabelId after);
  const std::vector<LabelId>& summary(const std::vector<LabelId>& from);
  void tell_all(std::size_t below, LabelId label);
  void backtrack(std::size_t i, int thread);
  void plan(const Trace& trace, const Race& race);

  Causality causality_;
  std::vector<ThreadSet> backtrack_;             // by node
  std::vector<std::vector<LabelId>> follows_;    // G
  std::unordered_set<std::uint64_t> edges_;      // of G, each once
  std::vector<std::uint32_t> reached_;           // label → the summary that has it
  std::vector<LabelId> summary_;
  std::uint32_t summaries_ = 0;
};

}  // namespace heddle
