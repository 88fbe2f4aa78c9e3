// Source sets with happens-before and sleep sets over stored states: the stateful baseline that 001 compares with.
//
// Papers: Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial Order Reduction (POPL 2014), algorithm 1, as 001 sec. 5
// uses it for its O-DPOR (without wakeup trees).
// Idea: races of every run, with what happens before what, say which reversals are owed; a known state is gone on from only where something slept in it.
//
//   symbol in the papers       name here
//   v = notdep(e, E).e'        word_, then the race's second half
//   I(v) ∩ backtrack(E')       plan()
//   sleep                      Sets::sleep, by thread; sleeping_ of stored states
//   A_s                        tell_everything_behind()
//
// Deviations
//  - 001 puts it on top of safe sets. Steps that nobody notices are in no race, so that they are taken alone anyway.
//  - A known state has lost the order of what was found behind it. Where 001's O-DPOR walks all executions from there, each stored transition is
//    looked at once here, and told to all conflicting steps of the path (trap 3).
//  - Sleep sets and state matching (trap 4): a state is stored with what slept in it. Reached with something of that awake, it is gone on
//    from as if it were new: which other threads it owes was found out while that slept.
//  - What sleeps is not told to the target: a run may take it, which is superfluous; reversals are planned without it.
//  - A program with cycles is searched without sleep sets; where the first one shows, the search starts over.
#pragma once
#include "explore/reduction/state_graph.h"
#include "explore/reduction/stateful_search.h"
#include "model/causality.h"

namespace heddle {

class ODpor final : public StatefulSearch {
 public:
  using StatefulSearch::StatefulSearch;
  std::string_view name() const override { return "o-dpor"; }
  StoredFacts stored() const override { return {graph_.transitions(), graph_.bytes() + sleeping_.capacity() * sizeof(ThreadSet)}; }

 private:
  struct Sets {
    StateId id = kNowhere;
    ThreadSet backtrack;
    ThreadSet sleep;
    ThreadSet ended;  // threads whose step ended the run: they depend on everything
  };

  ThreadSet owed(std::size_t i) override;
  void entered(std::size_t i) override;
  void took(std::size_t i, LabelId label, const Arrival& arrival) override;
  void left(std::size_t i) override;
  void learned(const Trace& trace, std::size_t fresh) override;
  void forget() override;
  bool is_known(wire::Fingerprint state) const override { return graph_.find(state) != kNowhere; }

  ThreadSet sleep_after(std::size_t i);
  void plan(const Trace& trace, const Race& race);
  bool comes_after(const std::vector<std::uint32_t>& events, std::uint32_t event) const;  // any of them
  void tell_all(std::size_t below, LabelId label);
  void tell_everything_behind(std::size_t below, StateId known, const Arrival& arrival);
  void store_blocked(StateId state, const std::vector<LabelId>& next, const ThreadSet& enabled);

  bool sleeps_ = true;
  StateGraph graph_;
  std::vector<ThreadSet> sleeping_;  // by StateId
  std::vector<Sets> sets_;           // by node
  Causality causality_;
  std::vector<std::uint32_t> word_, slept_;
};

}  // namespace heddle
