#include "explore/tally.h"

#include "explore/soundness.h"

namespace heddle {

void Tally::count(const Request& request, const Trace& trace) {
  ++(is_redundant(request, trace) ? blocked : executions);
  const std::size_t repeated = std::min(request.prefix.size(), trace.events.size());
  replayed += repeated;
  transitions += trace.events.size() - repeated;
  max_depth = std::max<std::uint64_t>(max_depth, trace.events.size());
  threads = std::max<std::uint64_t>(threads, trace.threads);
  hit_step_limit |= trace.end == wire::End::StepLimit;
}

void Tally::put_into(Statistics& s) const {
  s.executions = executions;
  s.blocked = blocked;
  s.transitions = transitions;
  s.replayed = replayed;
  s.max_depth = max_depth;
  s.threads = threads;
}

}  // namespace heddle
