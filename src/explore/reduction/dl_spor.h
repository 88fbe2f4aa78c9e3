// Source sets found lazily over stored states.
//
// Paper: Cirisci, Enea, Farzan, Mutluergil: A Pragmatic Approach to Stateful Partial Order Reduction (001, CAV 2023), algorithm 3 and
// appendix A.
// Idea: when the search is back at a state, walk over everything stored behind the thread just explored; who does something there that conflicts with
// its step has to be taken as well, and as soon as the threads taken contain a persistent set nobody else has.
//
//   symbol in the paper       name here
//   IsComplete(s)             owed(): what it answers beyond Node::done is still to be taken
//   A_{s'} (line 27)          find_current()'s walk
//   s.current, UpdateBack     source_set_search.h
//   app. A                    WalkOptions
//
// Deviations: source_set_search.h. isVisited(succ(s, t')) (line 21) is not known before the step is made; with order.visited_first it is found
// out by a run of one step. Asserted: nothing is walked where the state is on a cycle.
#pragma once
#include "explore/reduction/source_set_search.h"
#include "explore/reduction/walk_options.h"

namespace heddle {

class DlSpor final : public SourceSetSearch {
 public:
  explicit DlSpor(StatefulOptions options, WalkOptions optimisations = {}, bool safe_sets = true)
      : SourceSetSearch(std::move(options), safe_sets), use_(optimisations) {}
  std::string_view name() const override { return "dl-spor"; }

 private:
  ThreadSet owed(std::size_t i) override;
  void find_current(std::size_t i, int thread);

  const WalkOptions use_;
};

}  // namespace heddle
