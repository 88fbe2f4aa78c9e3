// The frame that all stateful searches share: depth first over states, each of which is gone on from once.
//
// The current path is a stack of nodes, one per state. A run goes down from the deepest node that owes something and ends at the
// first state that was reached before (Capture::UntilVisited); what it passes is new and joins the path. An algorithm says which threads a
// node owes; a thread that is taken is taken with all its alternatives. Memory is that of the path: which states are known is the table's
// business, which the target and the explorer share.
//
// CYCLES (trap 5). A state that is reached again while it is still on the path, or while its component is (cycle_watch.h), has not been
// explored. Every state on a cycle is therefore taken whole: all its threads. Then no thread is put off for ever, and what an algorithm concludes
// from everything behind a state is concluded only where that is complete. Why that is enough: let E be a run from a state s that was
// explored. If s is whole, the first step of E was taken, and the rest is shorter. If not, s is on no cycle, and what was taken is (or contains) a
// persistent set: either some step of E can be moved to the front and was taken, or a step that commutes with all of E was, and the search has
// moved on to a component that comes later. Both end, so that E is part of something explored, up to the order of independent steps.
// ENDS. A step that ends the run (a failed assertion, an exit) depends on everything: a state that has taken one is whole, too.
//
// ENDLESS RUNS. A component in which threads can go round for ever under a fair schedule is shown to the explorer as a run of its own: the
// way there and one lap, with captured states. detect() sees that the states at both ends of the lap are the same.
//
// DATA RACES. A race is a matter of what happened before, not of the state: a run that is cut at a known state may have
// been the only one with this race. So states are looked at instead: where two threads are about to make conflicting accesses, not both atomic, one is run right
// after the other, and the detector sees the race. Neighbours like these are never lost to a reduction: of two conflicting steps neither may be
// in a persistent set without the other's thread. This needs every plain access to be a visible operation.
// Two atomic accesses are run so, too, in both orders: the program watches which of them nothing orders (model/order_pairs.h).
#pragma once
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "explore/reduction/cycle_watch.h"
#include "explore/reduction/exploration_order.h"
#include "explore/reduction/labels.h"
#include "explore/reduction/livelocks.h"
#include "explore/reduction/reduction.h"

namespace heddle {

struct StatefulOptions {
  ExplorationOrder order;
  bool races = true;      // look for them among neighbours
  Livelocks livelocks = Livelocks::Possible;
};

class StatefulSearch : public Reduction {
 public:
  explicit StatefulSearch(StatefulOptions options) : options_(std::move(options)), orderer_(options_.order) {}

  std::optional<Request> next() final;
  void learn(const Request& request, const Trace& trace) final;
  bool exhaustive() const final { return !lost_; }
  void heed(const StopPoll& poll) final { poll_ = poll; }
  Progress progress() const final;
  bool has_cycles() const final { return came_back_; }

 protected:
  // A state of the current path.
  struct Node {
    wire::Fingerprint state;
    CycleWatch::Number number = 0;
    Choice taken;                  // what the path does here
    std::uint8_t outcome = 0;      // and what came of it
    AlternativeSet untried;        // of taken.thread
    ThreadSet enabled;
    ThreadSet done;                // taken with all their alternatives, and everything behind explored
    bool whole = false;            // everything enabled has to be taken
    ThreadSet attempted;           // order visited_first: where they lead has been looked at
    std::vector<LabelId> next;     // thread → its next operation, possible or not; kNoLabel if there is none
  };

  // What a transition has led to.
  struct Arrival {
    enum Kind : std::uint8_t {
      New,      // the next node of the path
      Known,    // a state that has been explored completely
      OnCycle,  // one whose component is still being explored
      End,      // a state in which nothing is possible any more
      Lost,     // no state: the step ended the run, or was the last one allowed
    };
    Kind kind = New;
    wire::Fingerprint state;             // all but Lost
    const std::vector<LabelId>* next = nullptr;  // of the threads in that state; Known, OnCycle, End
    bool unstored = false;               // the table of visited states was full
  };

  // --- what an algorithm decides -------------------------------------------------------------------------------------
  // The threads that node i owes as far as is known now. Asked whenever everything behind the thread taken last has been explored.
  virtual ThreadSet owed(std::size_t i) = 0;
  virtual ThreadSet at_most(std::size_t i) { return path_[i].enabled; }  // that it will ever owe, by a guess
  virtual void entered(std::size_t) {}                                 // a new node
  virtual void took(std::size_t, LabelId, const Arrival&) {}           // node i's path step
  virtual void left(std::size_t) {}                                    // a node is complete
  virtual void learned(const Trace&, std::size_t /*fresh*/) {}         // after the whole run; events from `fresh` on are new
  virtual void forget() {}                                             // the search starts over
  virtual bool is_known(wire::Fingerprint) const { return false; }     // a state that has been explored completely, for sure

  StopPoll& poll() { return poll_; }
  Node& node(std::size_t i) { return path_[i]; }
  const Node& node(std::size_t i) const { return path_[i]; }
  std::size_t depth() const { return depth_; }
  const Labels& labels() const { return labels_; }
  LabelId label_of(std::size_t i) const { return path_[i].next[path_[i].taken.thread]; }  // of what the path does at node i
  bool is_whole(std::size_t i) const { return path_[i].whole || cycles_.is_in_cycle(path_[i].number); }
  // REQUIRES called from took() with a Known arrival: that state is gone on from although it was explored before. It is entered with no path step yet.
  void go_on_from_known() { again_ = true; }
  void start_over() { start_over_ = true; }  // everything again after this run, with what the algorithm has learned since

 private:
  enum class Asked : std::uint8_t { Run, Attempt, Witness };
  struct Witness {
    Request request;
    std::tuple<Address, Address, Address> race;  // object and places, of a race
    bool swapped = false;
  };

  Request request_to(std::size_t depth);
  Request explore(std::size_t i, Choice choice);
  std::uint32_t next_branch(std::size_t i);
  Request attempt(std::size_t i, int thread);
  void learn_attempt(const Trace& trace);
  void leave();
  void begin_again();

  void settle_alternatives(const Event& first);
  void read_operations(const Trace& trace, std::size_t from);
  void extend(const Trace& trace, std::size_t from);
  void push(const Event& event, wire::Fingerprint state, std::size_t row);
  void push_again(const Trace& trace, wire::Fingerprint state);
  void enter(wire::Fingerprint state);
  void arrive(std::size_t i, const Arrival& arrival);
  Arrival end_of(const Trace& trace, std::size_t from) const;
  void return_to(std::size_t i, const Arrival& arrival);

  void look_for_neighbours(std::size_t i, int moved);
  bool may_write_now(std::size_t i, int thread, int moved) const;
  void look_at_pair(std::size_t i, int a, int b);
  void show(const CycleWatch::Endless& endless);
  void learn_witness(const Trace& trace);

  StopPoll poll_;
  const StatefulOptions options_;
  Orderer orderer_;
  Labels labels_;
  CycleWatch cycles_;
  std::vector<Node> path_;  // [0, depth_); the rest is kept for reuse
  std::size_t depth_ = 0;
  bool started_ = false;
  bool started_over_ = false;
  bool start_over_ = false;
  bool again_ = false;      // the known state that the run has come to is gone on from
  bool came_back_ = false;  // to a state of a component that was still open
  bool lost_ = false;       // a run that told nothing may have filled the table
  bool unstored_ = false;   // the table is full

  Asked asked_ = Asked::Run;
  std::deque<Witness> witnesses_;
  std::deque<Witness> atomic_pairs_;  // shown when all else has been explored: what they tell changes nothing about the search
  Witness shown_;
  std::vector<LabelId> rows_;          // of the run being learned: next operations per state, stride_ each
  std::size_t stride_ = 0;
  std::vector<LabelId> end_row_;
  std::set<std::tuple<Address, Address, Address>> races_seen_;
  std::map<std::tuple<Address, Address, Address>, std::uint32_t> exchanges_shown_;
  std::set<std::vector<LabelId>> endless_seen_;
};

}  // namespace heddle
