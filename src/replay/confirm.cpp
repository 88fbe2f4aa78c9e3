#include "replay/confirm.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle {
namespace {

// Nothing shorter of the bug than its place: two frames are compared only where both are known.
bool same_place(const Involved& a, const Involved& b) {
  if (a.thread != b.thread || a.object != b.object) return false;
  return a.stack.empty() || b.stack.empty() || a.stack.front() == b.stack.front();
}

}  // namespace

bool same_bug(const Finding& a, const Finding& b) {
  if (a.kind != b.kind || a.maybe_ordered_by != b.maybe_ordered_by) return false;
  if (!a.signature.empty() && a.signature == b.signature) return true;
  if (a.involved.empty() || b.involved.empty()) return a.message == b.message;
  return same_place(a.involved.front(), b.involved.front());
}

Request detailed_request(const Finding& finding) {
  Request request;
  request.prefix = finding.choices;
  request.timeouts = finding.timeouts;
  request.detail = true;
  request.keep_output = true;
  if (finding.lap) {  // that the states are the same has to be seen again
    request.capture = Capture::States;
    request.max_steps = static_cast<std::uint32_t>(finding.choices.size());
    request.capture_from = request.max_steps - finding.lap;
  }
  if (const Involved* at = place_in_memory(finding)) {
    request.watch = at->object;
    request.watch_size = std::max<std::uint32_t>(at->size, 1);
  }
  return request;
}

std::optional<Finding> find_same_bug(const Trace& trace, const Finding& wanted) {
  std::vector<Finding> found = detect(trace);
  // An equal signature is the better answer where one run shows several races at neighbouring places.
  for (Finding& candidate : found)
    if (candidate.kind == wanted.kind && candidate.signature == wanted.signature) return std::move(candidate);
  for (Finding& candidate : found)
    if (same_bug(candidate, wanted)) return std::move(candidate);
  return std::nullopt;
}

Result<Confirmed> confirm_run(Program& program, const Finding& finding, const std::vector<Event>& recorded,
                              const PlaceName& place) {
  Result<Trace> again = program.run(detailed_request(finding));
  if (!again) return again.error();
  std::optional<Finding> same = find_same_bug(*again, finding);
  if (!same) {
    return divergence_error(fmt::format("the same schedule does not show the {} again", kind_name(finding.kind)),
                            compare_runs(recorded, *again), place);
  }
  return Confirmed{std::move(*same), std::move(*again)};
}

Result<Finding> confirm(Program& program, const Finding& finding, const std::vector<Event>& recorded, const PlaceName& place) {
  Result<Confirmed> confirmed = confirm_run(program, finding, recorded, place);
  if (!confirmed) return confirmed.error();
  return std::move(confirmed->finding);
}

}  // namespace heddle
