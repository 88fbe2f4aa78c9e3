// The stored transition system: states by fingerprint, their explored transitions with labels. Flat arrays, no node of its own for anything.
//
// 001 calls it L_r. A transition may also lead nowhere: the operation of a thread that is blocked for good (in a final state, or all the way round a
// cycle) counts as occurring (trap 6), since in another order it might have.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "explore/reduction/labels.h"
#include "explore/reduction/stop_poll.h"
#include "wire/wire.h"

namespace heddle {

using StateId = std::uint32_t;
inline constexpr StateId kNowhere = ~0u;
inline constexpr StateId kNotStored = ~0u - 1;  // a state that there was no room for: anything may happen from it

class StateGraph {
 public:
  struct Transition {
    LabelId label;
    StateId to;
    std::uint32_t next;  // of the same state
  };

  StateId add(wire::Fingerprint state);         // or the one that is there already
  StateId find(wire::Fingerprint state) const;  // kNowhere if there is none
  void connect(StateId from, LabelId label, StateId to);
  void clear();

  // Calls visit(label, to) for every transition reachable from `from`, each once, until it answers false. With `all_executions` once for
  // each way there is to it: exponentially often.
  template <class Visit>
  void walk(StateId from, Visit visit, bool all_executions = false);

  // Calls tell(label), once for each, for what is `next` in a known state and for all that is stored behind it. False if not all of that is.
  template <class Tell>
  bool each_label_behind(StateId from, const std::vector<LabelId>& next, Tell tell, StopPoll& poll);

  // visit(label, to) for the direct transitions of a state.
  template <class Visit>
  void each_transition(StateId state, Visit visit) const {
    for (std::uint32_t t = first_[state]; t != kNone; t = transitions_[t].next) visit(transitions_[t].label, transitions_[t].to);
  }

  std::size_t states() const { return states_.size(); }
  std::size_t transitions() const { return transitions_.size(); }
  std::size_t bytes() const;

 private:
  static constexpr std::uint32_t kNone = ~0u;
  std::size_t slot_of(wire::Fingerprint state) const;
  void grow();

  std::vector<wire::Fingerprint> states_;
  std::vector<std::uint32_t> first_;   // state → its transition added last
  std::vector<std::uint32_t> walked_;  // state → the walk that has been there
  std::vector<Transition> transitions_;
  std::vector<StateId> slots_;         // open addressing; kNowhere: empty
  std::uint32_t walk_ = 0;
  std::vector<std::uint32_t> told_;    // label → the last time that it was
  std::uint32_t times_ = 0;
};

template <class Tell>
bool StateGraph::each_label_behind(StateId from, const std::vector<LabelId>& next, Tell tell, StopPoll& poll) {
  ++times_;
  bool all = from != kNowhere;
  auto once = [&](LabelId label, StateId to) {
    poll.ask(10);
    if (told_.size() <= label) told_.resize(label + 1);
    if (std::exchange(told_[label], times_) != times_) tell(label);
    all &= to != kNotStored;
    return true;
  };
  for (LabelId label : next)
    if (label != kNoLabel) once(label, kNowhere);
  if (from != kNowhere) walk(from, once);
  return all;
}

template <class Visit>
void StateGraph::walk(StateId from, Visit visit, bool all_executions) {
  ++walk_;
  // With all_executions a state is left free again when the walk leaves it: ways that do not go in circles.
  struct Step {
    StateId state;
    std::uint32_t next;
  };
  std::vector<Step> path = {{from, first_[from]}};
  walked_[from] = walk_;
  while (!path.empty()) {
    Step& step = path.back();
    if (step.next == kNone) {
      if (all_executions) walked_[step.state] = 0;
      path.pop_back();
      continue;
    }
    const Transition& t = transitions_[step.next];
    step.next = t.next;
    if (!visit(t.label, t.to)) return;
    if (t.to >= kNotStored || walked_[t.to] == walk_) continue;
    walked_[t.to] = walk_;
    path.push_back({t.to, first_[t.to]});
  }
}

}  // namespace heddle
