#include "explore/reduction/state_graph.h"

namespace heddle {

std::size_t StateGraph::slot_of(wire::Fingerprint state) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = state.low & mask;
  while (slots_[i] != kNowhere && !(states_[slots_[i]] == state)) i = (i + 1) & mask;
  return i;
}

void StateGraph::grow() {
  slots_.assign(slots_.empty() ? 1024 : slots_.size() * 2, kNowhere);
  for (StateId s = 0; s < states_.size(); ++s) slots_[slot_of(states_[s])] = s;
}

StateId StateGraph::find(wire::Fingerprint state) const { return slots_.empty() ? kNowhere : slots_[slot_of(state)]; }

StateId StateGraph::add(wire::Fingerprint state) {
  if (slots_.size() < states_.size() * 4 / 3 + 1) grow();
  StateId& slot = slots_[slot_of(state)];
  if (slot != kNowhere) return slot;
  slot = static_cast<StateId>(states_.size());
  states_.push_back(state);
  first_.push_back(kNone);
  walked_.push_back(0);
  return slot;
}

void StateGraph::connect(StateId from, LabelId label, StateId to) {
  transitions_.push_back({label, to, first_[from]});
  first_[from] = static_cast<std::uint32_t>(transitions_.size() - 1);
}

void StateGraph::clear() {
  states_.clear();
  first_.clear();
  walked_.clear();
  transitions_.clear();
  slots_.clear();
}

std::size_t StateGraph::bytes() const {
  return states_.capacity() * sizeof(wire::Fingerprint) + (first_.capacity() + walked_.capacity() + slots_.capacity()) * sizeof(std::uint32_t) +
         transitions_.capacity() * sizeof(Transition);
}

}  // namespace heddle
