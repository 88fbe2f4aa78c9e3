// Dynamic partial order reduction with backtrack sets.
//
// Paper: Flanagan, Godefroid: Dynamic Partial-Order Reduction for Model Checking Software (002, POPL 2005), figs. 3 to 5;
// 004 fig. 2.1.
// Idea: run once, look for transitions whose order could have mattered, and go back to just before the first of the two.
//
//   symbol in the paper             name here
//   S, pre(S, i)                    the path; node(race.first)
//   next(s, p)                      race.operation of thread race.choice.thread
//   i ↛_S p, dependent, co-enabled  Race: model/causality finds them
//   E (fig. 3, line 5)              find_necessary()
//   backtrack(pre(S, i))            Node::taken, Node::done, Node::owed
//   C(p), C(o), L(o) (fig. 5)       model/causality, model/object_history
//
// Deviations
//  - Fig. 3 takes for each thread the last race in every state; here every immediate race is taken once, when its second half
//    happens or is left pending at the end. Threads that are disabled there take part (line 3 says all processes).
//  - Reads and writes are told apart; locks as in fig. 5: the backtrack point of an acquisition is the acquisition before.
//  - Locksets (004 sec. 3.3.3): two accesses under a common lock are never a race here, since the lock orders them;
//    tests/generated/causality_test.cpp says so.
//  - Alternatives not taken and ends of the run as in optimal.h.
//  - Update::Aggressive is the update of 003 fig. 8 (004 fig. 6.7): besides the immediate races, every earlier transition that conflicts
//    with the second half and that its thread had not heard of gets its branch at once, so that the branches of a state are known
//    early to many workers. Transitions that happen before it all the same (fig. 8 takes them too) are left out.
//  - E holds only threads whose next step is a first step of the reversal. Fig. 3 may pick any member of E, also one that does something else first: it looks
//    for races in every state, and so adds what is missing then from a shorter run. Here such a pick loses the reversal, with sleep sets also where it sleeps.
#pragma once
#include "explore/config.h"
#include "explore/reduction/reversal_search.h"

namespace heddle {

class Dpor final : public ReversalSearch {
 public:
  explicit Dpor(bool sleep_sets = true, Update update = Update::Plain) : sleep_sets_(sleep_sets), update_(update) {}
  std::string_view name() const override { return "dpor"; }

 private:
  void plan(const Race& race) override;
  bool uses_sleep_sets() const override { return sleep_sets_; }
  Reversal reversal_of(const Race& race) override;
  std::vector<std::uint32_t> earlier_firsts(const Race& race) const override;

  void find_necessary(const Race& race);
  void owe(Node& at, int thread, std::uint32_t from);

  const bool sleep_sets_;
  const Update update_;
  std::vector<Transition> necessary_;
  std::vector<std::uint32_t> first_steps_;  // of each thread, between the race's halves
};

}  // namespace heddle
