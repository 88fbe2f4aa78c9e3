// Source sets: dynamic partial order reduction with the smallest backtrack sets that still cover everything.
//
// Paper: Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial Order Reduction (POPL 2014; JACM 2017), algorithm 1.
// Idea: a reversed race needs only that *some* first step of the reversal is explored; if one already is, add nothing.
//
//   symbol in the paper        name here
//   E' = pre(E, e)             node(race.first)
//   v = notdep(e, E).e'        what causality().kept() leaves, then second_of(race)
//   I_[E'](v)                  initials_
//   backtrack(E')              Node::taken, Node::done, Node::owed
//   sleep(E')                  Node::sleep; sent along with every request
//
// Deviations: blocking operations, alternatives and ends of the run as in optimal.h. Races are looked for once per run.
// Where runs are cut by the bound on steps, a sleeping step that the reversal can do without does not cover it: elsewhere, it takes up room.
// Explores every Mazurkiewicz trace at least once; runs that turn out to be redundant are cut by their sleep set.
#pragma once
#include "explore/reduction/reversal_search.h"

namespace heddle {

class Source final : public ReversalSearch {
 public:
  std::string_view name() const override { return "source"; }

 private:
  void plan(const Race& race) override;
  bool uses_sleep_sets() const override { return true; }
  Reversal reversal_of(const Race& race) override;
  void find_initials(const Race& race);
  std::uint32_t first_that_leads_to_second(const Race& race) const;

  std::vector<std::uint32_t> initials_;  // without e'
};

}  // namespace heddle
