// Source sets found eagerly over stored states.
//
// Paper: Cirisci, Enea, Farzan, Mutluergil: A Pragmatic Approach to Stateful Partial Order Reduction (001, CAV 2023), algorithm 2.
// Idea: every step tells the states from which the path did something that conflicts with it; back at such a state, it is known who else has to
// be taken.
//
//   symbol in the paper       name here
//   UpdateCurr(a)             tell_all()
//   A_s (line 16)             tell_everything_behind()
//   s.current, UpdateBack     source_set_search.h
//
// Deviations
//  - source_set_search.h.
//  - UpdateCurr tells the last conflicting step only, and app. A all of them where A_s is walked transition by transition (trap 3). Here it is
//    always all of them: the thread told of may be blocked at the last such state, by a step before it that conflicts too
//    (Trap.LastConflictMayBeImpossibleToReverse), which 001's model without blocking operations cannot have.
#pragma once
#include "explore/reduction/source_set_search.h"

namespace heddle {

class DeSpor final : public SourceSetSearch {
 public:
  using SourceSetSearch::SourceSetSearch;
  std::string_view name() const override { return "de-spor"; }

 private:
  ThreadSet owed(std::size_t i) override { return has_taken_safe_set(i) ? take_safe_set(i) : update_back(i); }
  void took(std::size_t i, LabelId label, const Arrival& arrival) override;

  void tell_all(std::size_t below, LabelId label);
  void tell_everything_behind(std::size_t below, const Arrival& arrival);
};

}  // namespace heddle
