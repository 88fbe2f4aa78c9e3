#include "explore/soundness.h"

#include <algorithm>

#include <fmt/format.h>

#include "detect/evidence.h"

namespace heddle {

Error unsupported_error(const Trace& trace, const PlaceName& place) {
  const wire::Report report = trace.reports.empty() ? wire::Report{} : trace.reports.front();
  return {fmt::format("unsupported: {} at {}", trace.reports.empty() ? "a call" : report_text(report), place(report.pc)),
          "keep the call out of what is tested, or replace it there by one that heddle models", ExitCode::Unsupported};
}

std::optional<Error> trouble_with(const Request& request, const Trace& trace, const ReplayCheck& earlier, const PlaceName& place) {
  const std::optional<Divergence> divergence = earlier.compare(request, trace);
  if (divergence) return divergence_error("the program does not repeat itself", *divergence, place);
  if (trace.end == wire::End::Diverged) return divergence_error("the program does not repeat itself", compare_runs({}, trace), place);
  if (trace.end == wire::End::Unsupported) return unsupported_error(trace, place);
  return std::nullopt;
}

}  // namespace heddle
