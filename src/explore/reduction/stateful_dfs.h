// Every state once.
//
// Paper: Yang, Chen, Gopalakrishnan, Kirby: Efficient Stateful Dynamic Partial Order Reduction (000, SPIN 2008), fig. 3.
// Idea: depth-first search that turns round at states that it has been to.
//
//   symbol in the paper       name here
//   H                         the table of visited states (wire/visited_table.h)
//   s, s_a                    Node::state: the fingerprint that the target captures
//   L, NEXTLOCAL (fig. 4)     in the target (--state)
//   enabled transitions       Node::enabled
//
// Deviations: the search is that of stateful_search.h, where what becomes of cycles is explained; the paper assumes that there are none.
#pragma once
#include "explore/reduction/stateful_search.h"

namespace heddle {

class StatefulDfs final : public StatefulSearch {
 public:
  using StatefulSearch::StatefulSearch;
  std::string_view name() const override { return "dfs"; }

 private:
  ThreadSet owed(std::size_t i) override { return node(i).enabled; }
};

}  // namespace heddle
