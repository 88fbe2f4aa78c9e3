#include "explore/reduction/sdpor.h"

namespace heddle {

void Sdpor::entered(std::size_t i) {
  if (backtrack_.size() <= i) backtrack_.resize(i + 1);
  backtrack_[i] = {};
}

void Sdpor::took(std::size_t i, LabelId label, const Arrival& arrival) {
  if (i > 0) follow(label_of(i - 1), label);
  if (arrival.kind == Arrival::New) return;
  for (LabelId next : *arrival.next)
    if (next != kNoLabel) follow(label, next);
  if (arrival.kind == Arrival::End || arrival.kind == Arrival::Lost) return;  // what is left there is part of the run: learned()
  for (LabelId later : summary(*arrival.next)) tell_all(i + 1, later);
}

// --- the visible operation dependency graph ----------------------------------------------------------------------------

void Sdpor::follow(LabelId before, LabelId after) {
  if (!edges_.insert(std::uint64_t{before} << 32 | after).second) return;
  if (follows_.size() < labels().size()) follows_.resize(labels().size());
  follows_[before].push_back(after);
}

// Everything that may follow in a state where these operations are next.
const std::vector<LabelId>& Sdpor::summary(const std::vector<LabelId>& from) {
  ++summaries_;
  if (follows_.size() < labels().size()) follows_.resize(labels().size());
  reached_.resize(labels().size());
  summary_.clear();
  auto reach = [&](LabelId label) {
    if (reached_[label] == summaries_) return;
    reached_[label] = summaries_;
    summary_.push_back(label);
  };
  for (LabelId label : from)
    if (label != kNoLabel) reach(label);
  for (std::size_t k = 0; k < summary_.size(); ++k)
    for (LabelId after : follows_[summary_[k]]) reach(after);
  return summary_;
}

// --- backtrack sets ------------------------------------------------------------------------------------------------------

void Sdpor::backtrack(std::size_t i, int thread) {
  if (node(i).enabled.has(thread)) backtrack_[i].add(thread);
  else backtrack_[i] = node(i).enabled;
}

void Sdpor::tell_all(std::size_t below, LabelId label) {
  const std::uint8_t thread = labels()[label].operation.thread;
  poll().ask(10 * below);
  while (below-- > 0)
    if (node(below).taken.thread != thread && labels().conflict(label_of(below), label)) backtrack(below, thread);
}

void Sdpor::learned(const Trace& trace, std::size_t fresh) {
  causality_.analyse(trace, fresh);
  for (const Race& race : causality_.races())
    if (!race.alternative && race.first < depth()) plan(trace, race);
}

// Fig. 6, lines 6 to 10: somebody enabled before the race's first half whom its second half needs, or else everybody.
void Sdpor::plan(const Trace& trace, const Race& race) {
  const Node& at = node(race.first);
  const ThreadSet taken = backtrack_[race.first];
  int necessary = at.enabled.has(race.choice.thread) ? race.choice.thread : -1;
  const auto end = std::min(race.second, static_cast<std::uint32_t>(trace.events.size()));
  poll().ask(end - std::min(end, race.first));
  for (std::uint32_t j = race.first + 1; j < end; ++j) {
    const std::uint8_t q = trace.events[j].thread;
    if (!at.enabled.has(q) || !causality_.before(j, race.second) || !causality_.kept(race, j)) continue;
    if (taken.has(q) || at.done.has(q) || at.taken.thread == q) return;
    if (necessary < 0) necessary = q;
  }
  if (necessary >= 0) backtrack_[race.first].add(necessary);
  else backtrack_[race.first] = at.enabled;
}

void Sdpor::forget() {
  follows_.clear();
  edges_.clear();
}

}  // namespace heddle
