// Cycles of a state space while it is searched depth first, and the endless runs in them.
//
// Gabow's form of Tarjan's algorithm: states are open until the strongly connected component that they belong to has been left. Only
// open states and the transitions among them are kept; in a state space without cycles that is the current path.
//
// A component is a livelock if threads can go round in it for ever and the schedule that does so is fair: every thread that is
// possible in one of its states moves in it as well. Where a thread is possible and does not move, a fair schedule must avoid the states in
// which it is possible: these are taken out and the rest is looked at again (Emerson and Lei's way with strong fairness).
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "explore/reduction/labels.h"
#include "explore/reduction/stop_poll.h"
#include "model/trace.h"

namespace heddle {

class CycleWatch {
 public:
  using Number = std::uint32_t;  // of an open state, in the order in which they were reached

  struct Endless {
    std::vector<Choice> stem;  // from the component's first state
    std::vector<Choice> lap;   // from there round to the same state
    std::vector<LabelId> labels;  // of the lap, sorted and distinct
    bool can_be_left = false;  // a step leads out of the component: only the schedule keeps threads in it
  };

  Number open(wire::Fingerprint state, const ThreadSet& enabled);
  std::optional<Number> find(wire::Fingerprint state) const;
  // A transition between open states. ENSURES that both are in one component if `to` was reached before `from`.
  void connect(Number from, Choice choice, LabelId label, Number to);
  // A transition to a state that is not open, or to the end of a run.
  void leads_out(Number from) { open_[from].leads_out = true; }
  bool is_in_cycle(Number state) const;  // as far as is known
  // REQUIRES the search leaves the states in the reverse order of open(). Says how to run for ever in the component that ends with it.
  std::optional<Endless> close(Number state, StopPoll& poll);

  void clear();
  std::size_t size() const { return open_.size(); }

 private:
  struct Open {
    wire::Fingerprint state;
    ThreadSet enabled;
    std::uint32_t transitions;  // how many there were when it was reached
    bool repeats = false;       // a transition leads from it to itself
    bool leads_out = false;
  };
  struct Transition {
    Number from, to;
    LabelId label;
    Choice choice;
  };
  struct Hash {
    std::size_t operator()(const wire::Fingerprint& f) const { return f.low; }
  };

  std::optional<Endless> fair_cycle(Number root, StopPoll& poll) const;
  void leads_out_before(Number state);

  std::vector<Open> open_;
  std::vector<Number> roots_;
  std::vector<Transition> transitions_;
  std::unordered_map<wire::Fingerprint, Number, Hash> numbers_;
};

}  // namespace heddle
