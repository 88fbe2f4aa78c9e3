#include "explore/reduction/de_spor.h"

namespace heddle {

void DeSpor::took(std::size_t i, LabelId label, const Arrival& arrival) {
  SourceSetSearch::took(i, label, arrival);
  tell_all(i, label);
  if (arrival.kind == Arrival::Known || arrival.kind == Arrival::OnCycle) tell_everything_behind(i + 1, arrival);
  if (arrival.kind == Arrival::End || arrival.kind == Arrival::Lost)
    for (LabelId blocked : *arrival.next)
      if (blocked != kNoLabel) tell_all(i + 1, blocked);
}

void DeSpor::tell_all(std::size_t below, LabelId label) {
  const std::uint8_t other = labels()[label].operation.thread;
  poll().ask(10 * below);
  while (below-- > 0) {
    const std::uint8_t taken = node(below).taken.thread;
    if (taken != other && may_come_either_way(label_of(below), label)) add_conflict(below, taken, other);
  }
}

void DeSpor::tell_everything_behind(std::size_t below, const Arrival& arrival) {
  auto tell = [&](LabelId label) { tell_all(below, label); };
  if (graph().each_label_behind(graph().find(arrival.state), *arrival.next, tell, poll())) return;
  for (std::size_t i = 0; i < below; ++i) node(i).whole = true;
}

}  // namespace heddle
