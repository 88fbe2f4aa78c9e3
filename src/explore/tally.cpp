#include "explore/tally.h"

#include "explore/soundness.h"

namespace heddle {

void Tally::count(const Request& request, const Trace& trace) {
  const bool is_cut = trace.end == wire::End::StepLimit && request.max_steps != 0;  // as the reduction wanted
  if (trace.end == wire::End::Revisited) ++revisits;
  else ++(is_cut || is_redundant(request, trace) ? blocked : executions);
  table_full |= trace.visited_full;
  if (request.capture == Capture::UntilVisited) states += trace.states.size() - (trace.end == wire::End::Revisited);
  std::size_t repeated = std::min(request.prefix.size(), trace.events.size());
  if (request.capture == Capture::UntilVisited && repeated > 0) --repeated;  // the last step asked for is new
  replayed += repeated;
  transitions += trace.events.size() - repeated;
  max_depth = std::max<std::uint64_t>(max_depth, trace.events.size());
  threads = std::max<std::uint64_t>(threads, trace.threads);
  hit_step_limit |= trace.end == wire::End::StepLimit && !is_cut;
}

void Tally::put_into(Statistics& s) const {
  s.executions = executions;
  s.blocked = blocked;
  s.transitions = transitions;
  s.replayed = replayed;
  s.max_depth = max_depth;
  s.threads = threads;
  s.states = states;
  s.revisits = revisits;
}

}  // namespace heddle
