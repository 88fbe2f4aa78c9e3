// The frame that dpor, source and optimal share: a depth-first search that goes back to reverse races.
//
// The current path is a stack of nodes, one per event. Every run is analysed once (model/causality); each reversible race whose
// second half is new is handed to the algorithm, which decides what the node before its first half still owes. The deepest node that
// owes something is visited next. Memory is that of the path and of what it owes: nodes beyond its end are reused.
//
// Sleep sets are kept along the path: what has been done at a node sleeps in its later branches until something that
// conflicts with it happens.
#pragma once
#include <vector>

#include "explore/reduction/reduction.h"
#include "explore/reduction/wakeup_tree.h"
#include "model/causality.h"

namespace heddle {

class ReversalSearch : public Reduction {
 public:
  std::optional<Request> next() final;
  void learn(const Request& request, const Trace& trace) final;
  Progress progress() const final;

 protected:
  // The state before one event of the current path.
  struct Node {
    Transition taken;               // what the current path does here
    ThreadSet enabled;
    std::vector<Transition> sleep;  // inherited
    std::vector<Transition> done;   // explored here before `taken`
    WakeupForest::Branches owed;
  };

  // Decide what this race's reversal adds to what node(race.first) owes.
  virtual void plan(const Race& race) = 0;
  // Plan this sequence anew: the branch that it was below has turned out to end the run.
  virtual void replan(Node&, const std::vector<Transition>&) {}
  virtual bool uses_sleep_sets() const = 0;
  virtual bool sends_sleep_sets() const { return uses_sleep_sets(); }
  virtual void check_run(const Request&, const Trace&) {}

  Node& node(std::size_t i) { return nodes_[i]; }
  std::size_t depth() const { return depth_; }
  WakeupForest& forest() { return forest_; }
  const Trace& trace() const { return *trace_; }
  const Causality& causality() const { return causality_; }
  static Transition second_of(const Race& race) { return {race.operation, race.choice, race.fatal}; }
  bool asleep(const Node& at, const Choice& choice) const;
  bool done_or_owed(const Node& at, const Choice& choice) const;
  // For backtrack sets: an alternative not taken is next, so that all of a thread's alternatives sleep or none does.
  static bool is_alternative(const Race& race) { return race.choice.alternative != wire::kAnyAlternative; }
  void owe_alternative(const Race& race);

 private:
  bool descend(Request& request, const WakeupForest::Branch& from);
  void extend(const Trace& trace, std::size_t planned);
  void void_plans(std::size_t from);
  void void_branch(const WakeupForest::Branch& branch, std::vector<Transition> word);
  void fall_asleep(std::size_t i);
  void put_to_sleep(Request& request, const Node& at) const;

  std::vector<Node> nodes_;  // [0, depth_) is the current path; the rest is kept for reuse
  WakeupForest forest_;
  std::vector<std::vector<Transition>> void_;
  std::size_t depth_ = 0;
  std::size_t branch_ = 0;   // where the run asked for leaves the path
  std::size_t fresh_ = 0;    // the first step of it whose races have not been seen
  std::uint64_t runs_ = 0;
  bool started_ = false;
  Causality causality_;
  const Trace* trace_ = nullptr;
};

}  // namespace heddle
