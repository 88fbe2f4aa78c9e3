#include "explore/terms.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr std::uint32_t kManyTimeouts = 16;  // of one thread at one place, in one run
constexpr std::uint64_t kFewRuns = 128;      // a search so small comes to its end

}  // namespace

bool times_out_without_end(const Tally& tally) {
  return tally.most_timeouts_when_cut >= kManyTimeouts || (tally.most_timeouts >= kManyTimeouts && tally.runs() >= kFewRuns);
}

std::vector<HiddenPart> hidden_parts_of(const Trace& trace) {
  std::vector<HiddenPart> parts;
  for (const wire::Report& r : trace.reports)
    if (r.kind == wire::ReportKind::OrderMatters) parts.push_back({r.address, std::max(r.size, 1u)});
  return parts;
}

std::string note_on_timeouts() {
  return "threads time out again and again: from here on a wait times out once for each thread and place (--timeouts)";
}

std::string note_on_cut_runs(std::string_view algorithm, std::string_view other) {
  return fmt::format("executions are cut by --max-steps: {} goes on for {}", other, algorithm);
}

}  // namespace heddle
