// The frame that dpor, source and optimal share: a depth-first search that goes back to reverse races.
//
// The current path is a stack of nodes, one per event. Every run is analysed once (model/causality); each reversible race whose
// second half is new is handed to the algorithm, which decides what the node before its first half still owes. The deepest node that
// owes something is visited next. Memory is that of the path and of what it owes: nodes beyond its end are reused.
//
// Sleep sets are kept along the path: what has been done at a node sleeps in its later branches until something that
// conflicts with it happens. An alternative that ended the run conflicts with everything and is awake again at once, while the others of its thread sleep on:
// a race whose second half would be any of them is covered but for the one that ends.
//
// A run that was cut by the bound on steps may stand for others that go on differently beyond it, and does not show the races that lie
// there. So every state on the way to a cut owes all that is enabled; sleep sets alone spare what is known. States that no cut lies below
// are explored as ever: had what they leave out gone beyond the bound, so would a run that they have seen.
//
// A search can be confined to a unit (unit.h): it then never goes back above floor_. What is known of the states above is kept in the
// same nodes, so that only reversals that are news there are passed on. Whether runs are cut in other units it cannot know, and is told (expect_cuts).
#pragma once
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "explore/reduction/late_plan.h"
#include "explore/reduction/reduction.h"
#include "explore/reduction/unit.h"
#include "explore/reduction/wakeup_tree.h"
#include "model/causality.h"

namespace heddle {

class ReversalSearch : public Reduction {
 public:
  std::optional<Request> next() final;
  void learn(const Request& request, const Trace& trace) final;
  void heed(const StopPoll& poll) final { poll_ = poll; }
  Progress progress() const final;
  bool covers_step_bound() const override { return true; }

  // The tree of the search, for whoever writes it down: runs are numbered from 0.
  std::size_t branching() const { return branch_; }    // where the last request left the path
  std::uint32_t planned_by() const { return planned_by_; }  // the run that asked for it

  // Requests that next() will answer later, whatever is learned until then: those of the deepest states first, each of them once. A branch that is cut
  // off is not asked for; nor is, rarely, one whose plan or sleep set changes. REQUIRES called between next() and learn().
  struct Foreseen {
    Request request;
    std::size_t depth;  // of the state that owes it
  };
  std::vector<Foreseen> foresee(std::size_t most);

  // The search as a part of a larger one.
  void confine(const Unit& unit);             // forgets everything else. ENSURES next() begins the unit
  void expect_cuts() { cut_by_steps_ = true; }  // runs are cut by the bound on steps, here or in other units. REQUIRES called before next()
  std::vector<Reversal> take_reversals() { return std::exchange(reversals_, {}); }
  bool has_reversals() const { return !reversals_.empty(); }
  std::uint64_t owes_at_most(std::uint64_t most) const;  // branches of the unit, counted up to `most`
  std::size_t size_of_cut() const;            // transitions that cut() would answer with, at most
  Cut cut();                                  // REQUIRES owes_at_most(1) == 1, and called between learn() and next()
  // As if cut() had been called until nothing was owed, or as often as `most` transitions tell, without any of it being given away. Nothing: nothing is
  // owed, or too far away. As cut().
  std::optional<Cut> snapshot(std::size_t most) const;
  double seen() const;                        // an estimate: how much of the unit has been seen, from 0 to 1
  std::size_t floor() const { return floor_; }
  const Transition& taken(std::size_t i) const { return nodes_[i].taken; }  // REQUIRES i on the path

 protected:
  // The state before one event of the current path.
  struct Node {
    Transition taken;               // what the current path does here
    ThreadSet enabled;
    std::vector<Transition> sleep;  // inherited
    std::vector<Transition> ended;  // alternatives of threads in `sleep` that ended the run
    std::vector<Transition> done;   // explored here before `taken`
    std::vector<std::uint64_t> settled;  // second halves (print_of) of races with `taken` that need not be planned again
    WakeupForest::Branches owed;
    bool owes_all = false;          // a cut lies below
    std::unique_ptr<LatePlan> late;  // owed as well, and nothing else is
    std::vector<Plan> plan;         // of a part of a larger search: what was planned behind `taken`
  };

  // Decide what this race's reversal adds to what node(race.first) owes.
  virtual void plan(const Race& race) = 0;
  // May a race have to be planned again in a later run that has it, too? What comes behind its second half differs from run to run.
  virtual bool looks_at_races_again() const { return false; }
  // To be called while a race is planned, if that depended on more than its second half and what happens before that.
  void leave_open() { is_open_ = true; }
  // After the races of a run have been planned: what else the run asks for.
  virtual void plan_more() {}
  // May this thread be owed at that state? Asked only on the way to a cut.
  virtual bool may_owe(std::size_t, int) { return true; }
  // Plan this sequence anew: the branch that it was below has turned out to end the run.
  virtual void replan(Node&, const std::vector<Transition>&) {}
  virtual bool uses_sleep_sets() const = 0;
  virtual bool sends_sleep_sets() const { return uses_sleep_sets(); }
  virtual void check_run(const Request&, const Trace&) {}
  // Events before race.first that are to be treated like it: the race's second half could have come before them, too.
  virtual std::vector<std::uint32_t> earlier_firsts(const Race&) const { return {}; }
  // What the race just planned asks of a state above the floor, if it was planned there.
  virtual Reversal reversal_of(const Race& race) = 0;
  // Asks for branches of a state above the floor, without planning. REQUIRES reversal.steps is not empty
  void ask_above(Reversal reversal);

  StopPoll& poll() { return poll_; }
  bool was_cut_by_steps() const { return cut_by_steps_; }
  bool is_ours(std::size_t i) const { return i >= floor_; }
  bool is_part() const { return is_part_; }
  static bool owes(const Node& at) { return at.late || !at.owed.empty(); }
  void spell_out_late(Node& at);
  Node& node(std::size_t i) { return nodes_[i]; }
  std::size_t depth() const { return depth_; }
  std::size_t fresh() const { return fresh_; }  // the first event of the run whose races have not been seen before
  WakeupForest& forest() { return forest_; }
  const Trace& trace() const { return *trace_; }
  const Causality& causality() const { return causality_; }
  static Transition second_of(const Race& race) { return {race.operation, race.choice, race.fatal}; }
  bool asleep(const Node& at, const Choice& choice) const;
  bool done_or_owed(const Node& at, const Choice& choice) const;
  // For backtrack sets: an alternative not taken is next, so that all of a thread's alternatives sleep or none does.
  void owe_alternative(const Race& race);
  Transition step(std::uint32_t event) const;  // what the path does there, with whichever alternative comes first
  // What `thread`, enabled before event `from`, does next, with whichever alternative comes first.
  Transition next_of(int thread, std::uint32_t from) const;

 public:
  Address strayed_at() const override { return strayed_at_; }

 private:
  Request begin_unit();
  void owe_all();
  void owe_all_at(std::size_t i);
  void ask_for_all_at(std::size_t i);
  bool is_missing(std::size_t i, const Transition& t);
  void consider(const Race& race) { is_ours(race.first) ? plan(race) : plan_above(race); }
  void consider_ends(const Race& race);
  void consider_races(const Trace& trace, std::size_t unchanged);
  void take_prints(std::size_t from);
  std::uint64_t print_of(const Race& race) const;  // of its second half. REQUIRES an event
  bool is_settled(const Race& race) const;
  void settle(const Race& race);
  void plan_above(const Race& race);
  bool is_news(const Reversal& reversal);
  void forget(WakeupForest::Branch branch);
  void keep_leaves(WakeupForest::Branches& branches);
  std::size_t size_of(const Node& n) const;
  std::size_t size_of(const WakeupForest::Branches& branches) const;
  std::vector<Plan> copy_of(const WakeupForest::Branches& branches) const;
  bool descend(Request& request, const WakeupForest::Branch& from);
  Request foreseen_request(std::size_t i, const WakeupForest::Branch& branch) const;
  std::uint32_t deepest_that_owes() const;
  static bool strays(const OpView& planned, const Event& e);
  void extend(const Trace& trace, std::size_t planned);
  void void_plans(std::size_t from);
  void void_branch(const WakeupForest::Branch& branch, std::vector<Transition> word);
  void fall_asleep(std::size_t i);
  void put_to_sleep(Request& request, const Transition& asleep, const Transition& after) const;
  void put_to_sleep(Request& request, const Node& at, const Transition& after) const;

  Address strayed_at_ = 0;
  StopPoll poll_;
  std::vector<Node> nodes_;  // [0, depth_) is the current path; the rest is kept for reuse
  WakeupForest forest_;
  std::vector<std::vector<Transition>> void_;
  std::size_t floor_ = 0;    // nodes from here on are ours
  Unit unit_;                // to begin with
  bool is_part_ = false;     // of a larger search
  std::vector<Reversal> reversals_;
  std::set<std::vector<std::uint64_t>> told_;  // of the unit: reversals, word for word
  std::size_t told_steps_ = 0;
  std::size_t depth_ = 0;
  std::size_t branch_ = 0;   // where the run asked for leaves the path
  std::size_t fresh_ = 0;    // the first step of it whose races have not been seen
  std::vector<std::vector<std::uint64_t>> prints_;  // thread → its events
  bool is_open_ = false;     // the race that is being planned is to be planned again
  std::size_t analysed_ = 0; // steps that the path has in common with the run that was analysed last
  std::uint64_t runs_ = 0;
  std::uint32_t planned_by_ = 0;
  bool started_ = false;
  bool cut_by_steps_ = false;
  Causality causality_;
  std::vector<std::uint32_t> steps_;
  const Trace* trace_ = nullptr;
};

}  // namespace heddle
