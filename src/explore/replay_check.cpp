#include "explore/replay_check.h"

#include <algorithm>
#include <span>

namespace heddle {
namespace {

bool follows(const Choice& choice, const Event& event) {
  return choice.thread == event.thread &&
         (choice.alternative == event.alternative || choice.alternative == wire::kAnyAlternative);
}

// How many events of `last` a run of this request has to repeat.
std::size_t shared_length(const Request& request, const std::vector<Event>& last) {
  const std::size_t most = std::min(request.prefix.size(), last.size());
  std::size_t length = 0;
  while (length < most && follows(request.prefix[length], last[length])) ++length;
  return length;
}

// These ends are cut short by what they tell about themselves, not by another way through the program.
bool explains_itself(wire::End end) {
  return end == wire::End::Died || end == wire::End::Hung || end == wire::End::OutOfMemory || end == wire::End::Unsupported;
}

}  // namespace

std::optional<Divergence> ReplayCheck::compare(const Request& request, const Trace& trace) const {
  if (request.prefix.empty()) return std::nullopt;
  const std::size_t shared = shared_length(request, last_);
  const std::span<const Event> expected(last_.data(), shared);
  if (trace.events.size() < shared && explains_itself(trace.end)) return std::nullopt;
  Divergence difference = compare_runs(expected, trace);
  if (difference.cause == Cause::SameOperations) return std::nullopt;
  return difference;
}

}  // namespace heddle
