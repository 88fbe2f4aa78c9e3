// Optimal dynamic partial order reduction: exactly one run per Mazurkiewicz trace, none of them redundant.
//
// Paper: Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial Order Reduction (POPL 2014; JACM 2017), 001 ref. 3.
// Idea: when a race is reversed, go back with the whole sequence that makes the reversal happen and not just with its first
// step. Followed to its end, it wakes everything that sleeps, and what comes after can never be a repetition.
//
//   symbol in the paper        name here
//   E, pre(E, e)               the path; node(race.first)
//   e <~_E e'                  Race
//   v = notdep(e, E).e'        word_
//   WI_[E'](v)                 may_come_first(t)
//   sleep(E'), done            Node::sleep, Node::done
//   wut(E')                    Node::owed
//   insert_[E'](v, wut(E'))    insert()
//
// Deviations
//  - Of v only the past of e' and what wakes the sleepers goes into the tree. The sleep set at its end is empty all the same,
//    so that everything after it is explored and runs need no sleep sets.
//  - Operations that block: races of locks are between acquisitions, and the operations that blocked threads are left with
//    take part (model/causality.h). Where somebody else would then hold the lock, they are removed along with e.
//  - Alternatives not taken conflict with the one taken: v = (thread, alternative).w, with of notdep(e, E) what does not depend on that. A reversed
//    operation whose alternatives are not known yet is taken with whichever comes first; the rest follow from its event.
//  - An event that ends the run (exit, failed assertion) conflicts with everything.
//  - In the paper every run reverses all of its races. Here a race is planned again in a later run only if what was decided about it depended on more than e' and what
//    happens before e': other steps of v may not be there again, or others may wake somebody who covered v in the run before.
//  - A weak initial that v does not contain covers v only if there is room for one more step: where runs are cut by the bound on steps,
//    `source` takes over.
//  - v is not spelled out where the clocks tell that it is explored elsewhere (reversal_view.h), nor before its turn where there
//    is nothing to compare it with (late_plan.h).
// Asserted: nothing sleeps where a wakeup sequence ends; no run is cut by a sleep set.
#pragma once
#include "explore/reduction/reversal_search.h"
#include "explore/reduction/reversal_view.h"

namespace heddle {

class Optimal final : public ReversalSearch {
 public:
  // Races with so many steps between their halves may be planned late.
  explicit Optimal(std::uint32_t late_from = 64) : late_from_(late_from) {}
  std::string_view name() const override { return "optimal"; }
  bool covers_step_bound() const override { return false; }
  std::unique_ptr<Reduction> for_cut_runs() const override;

 private:
  struct Step {
    Transition transition;
    std::uint32_t event;  // index in the run; kNoEvent for e'
    bool needed = true;   // of v, only the past of e' and what wakes the sleepers goes into the tree
    bool gone = false;    // already on the way down the tree
  };

  void plan(const Race& race) override;
  bool looks_at_races_again() const override { return true; }
  void replan(Node& at, const std::vector<Transition>& word) override;
  bool uses_sleep_sets() const override { return true; }
  bool sends_sleep_sets() const override { return false; }
  void check_run(const Request& request, const Trace& trace) override;
  Reversal reversal_of(const Race& race) override;

  bool is_repetition(const Node& at, const Race& race);
  bool is_owed(const Node& at);
  static bool may_be_redundant(const Trace& trace);
  static bool is_open_exchange(const Race& race);
  bool may_be_late(const Race& race) const;
  void plan_late(Node& at, const Race& race);
  void spell(const Race& race, bool whole);
  void spell_alternative(const Race& race, bool whole);
  bool may_come_first(const Transition& t);
  bool any_may_come_first(const std::vector<Transition>& transitions);
  void insert(Node& at, WakeupForest::Branches& into);
  void insert_next(Node& at);
  void append_rest(WakeupForest::Branches& into, std::uint32_t parent);

  const std::uint32_t late_from_;
  ReversalView view_;
  std::vector<Step> word_;
  std::size_t front_ = 0;              // of word_: all before is gone
  std::vector<std::uint32_t> wakers_;  // steps of word_ that wake who sleeps
  std::shared_ptr<const KeptRun> recording_;            // of this run, once it is needed
  std::vector<std::weak_ptr<const KeptRun>> recorded_;  // runs that late plans refer to
};

}  // namespace heddle
