// Bounded partial order reduction: every behaviour that at most so many preemptions can show.
//
// Paper: Coons, Musuvathi, McKinley: Bounded Partial-Order Reduction (OOPSLA 2013).
// Idea: an equivalent run may need more preemptions than the one it stands for, so that a race must also be reversed where that costs
// nothing: before the block of steps in which its first half lies.
//
//   symbol in the paper        name here
//   Pb(S), c                   spent_, most_
//   pre(S, i)                  node(i)
//   start of S_i's block       block_start(i)
//   ext(s, t)                  the block of t: what its thread does until it is disabled or gives way
//   backtrack(s)               Node::taken, Node::done, Node::owed
//
// Why nothing is missed. Let S be a state of the search, T the threads explored from it, and w a run from S within the bound. The
// first step in w of a thread in T is t; a is what w does before. Whoever ran last and still can is in T, since runs run on.
//  - It is t's thread: a preempts it. t.a.rest costs no more than a.t.rest: the switch to a is only put off.
//  - It is not, or there is nobody to preempt: going to t costs what going to a costs. (block of t).a.rest costs no more, provided that
//    the block is moved whole.
// This holds if t, or its block, does not conflict with a and does not enable a thread that a leaves because it is blocked: that
// would be a preemption if t came first. The run with t in front is within the bound up to where that fails, so it is explored below t,
// and begins with the block as it is. It shows one of these, each of which puts a thread of a into T, a contradiction:
//  - a race: the step of a is possible there as well. It is owed at the race's first half and at the start of the block around it.
//  - a step that t keeps waiting (plan_kept_out). Where it comes in that run, if it comes, others may have passed in between, and the race
//    with them hides the one with t.
//  - a step that only t lets happen, after a had left its thread blocked (plan_let_in).
// What is owed is one thread that has to move for that step to be reached: all of them are threads of a.
//
// Deviations
//  - Races are those of model/causality, found once per run. The paper looks at every thread's next step in every state instead, and has
//    conditions on the next step of the thread that moved last: the waits above.
//  - The thread that is owed may be any that leads to the second half and is enabled (002 fig. 3), not just the second half's own.
//  - No sleep sets: a run that is left out may be the only cheap one of its trace. Source sets and wakeup trees rely on them. So
//    this is what `dpor`, `source` and `optimal` alike become within a bound: every trace, some of them more than once.
// Asserted: every run is within the bound.
#pragma once
#include <string>

#include "explore/reduction/reversal_search.h"

namespace heddle {

class BoundedSearch final : public ReversalSearch {
 public:
  // `name` is what the user asked for.
  BoundedSearch(std::string name, std::uint32_t most_preemptions) : name_(std::move(name)), most_(most_preemptions) {}

  std::string_view name() const override { return name_; }
  std::optional<PreemptionBound> preemption_bound() const override { return PreemptionBound{most_, cut_}; }

 private:
  void check_run(const Request& request, const Trace& trace) override;
  void plan(const Race& race) override;
  void plan_more() override;
  bool uses_sleep_sets() const override { return false; }
  Reversal reversal_of(const Race& race) override;

  std::uint32_t block_start(std::uint32_t event) const;
  void plan_wait(std::uint32_t second, const OpView& operation);
  void plan_let_in(std::uint32_t second, std::uint32_t arrived);
  void plan_kept_out(std::uint32_t second, const OpView& operation, std::uint32_t arrived);
  bool stood_still(std::uint8_t thread, std::uint32_t from, std::uint32_t to) const;
  std::vector<std::uint32_t>& steps_of(std::uint8_t thread);
  void plan_both(std::uint32_t first, std::uint32_t second, std::uint8_t thread);
  void plan_at(std::uint32_t state, std::uint32_t second, std::uint8_t thread);
  void find_leading(std::uint32_t state, std::uint32_t second, std::uint8_t thread);
  bool may_owe(std::size_t state, int thread) override;
  void owe(std::uint32_t state, const std::vector<int>& threads);

  const std::string name_;
  const std::uint32_t most_;
  bool cut_ = false;
  std::vector<std::uint32_t> spent_;               // event → preemptions up to and including it
  std::vector<std::vector<std::uint32_t>> steps_;  // thread → its events
  std::vector<int> leading_;                       // threads that lead to the second half, enabled where it is to be reversed
};

}  // namespace heddle
