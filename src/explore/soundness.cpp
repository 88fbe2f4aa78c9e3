#include "explore/soundness.h"

#include <algorithm>

#include <fmt/format.h>

#include "detect/evidence.h"

namespace heddle {

bool waits_in_vain(const Request& request, const Trace& trace) {
  if (trace.end != wire::End::Diverged || trace.events.size() >= request.prefix.size()) return false;
  const std::uint8_t wanted = request.prefix[trace.events.size()].thread;
  return std::any_of(trace.pending.begin(), trace.pending.end(), [&](const Pending& p) {
    return p.thread == wanted && p.op == Op::Await && p.object == 0 && !p.enabled;
  });
}

bool is_redundant(const Request& request, const Trace& trace) {
  return trace.end == wire::End::SleepBlocked || waits_in_vain(request, trace);
}

Error unsupported_error(const Trace& trace, const PlaceName& place) {
  const wire::Report report = trace.reports.empty() ? wire::Report{} : trace.reports.front();
  return {fmt::format("unsupported: {} at {}", trace.reports.empty() ? "a call" : report_text(report), place(report.pc)),
          "keep the call out of what is tested, or replace it there by one that heddle models", ExitCode::Unsupported};
}

std::optional<Error> trouble_with(const Request& request, const Trace& trace, const ReplayCheck& earlier, const PlaceName& place) {
  const std::optional<Divergence> divergence = earlier.compare(request, trace);
  if (waits_in_vain(request, trace) && !(divergence && divergence->recorded)) return std::nullopt;
  if (divergence) return divergence_error("the program does not repeat itself", *divergence, place);
  if (trace.end == wire::End::Diverged) return divergence_error("the program does not repeat itself", compare_runs({}, trace), place);
  if (trace.end == wire::End::Unsupported) return unsupported_error(trace, place);
  return std::nullopt;
}

}  // namespace heddle
