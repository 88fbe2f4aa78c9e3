#include "explore/finding_collector.h"

#include <algorithm>
#include <utility>

#include "replay/shorten.h"

namespace heddle {
namespace {

int exit_status_of(const Trace& trace) {
  for (const wire::Report& report : trace.reports)
    if (report.kind == wire::ReportKind::Exit) return report.signal;
  return trace.exit_status;
}

// Runs that can be repeated at no other cost than their steps.
bool is_cheap_to_repeat(wire::End end) {
  return end == wire::End::Completed || end == wire::End::Deadlock || end == wire::End::Stopped || end == wire::End::TimeoutLimit;
}

}  // namespace

bool ignores_race(const Config& config, const Trace& trace) {
  if (config.races != Races::Ignore) return false;
  auto is_race = [](const wire::Report& r) { return r.kind == wire::ReportKind::DataRace; };
  return std::any_of(trace.reports.begin(), trace.reports.end(), is_race);
}

bool is_wanted(const Config& config, const Finding& finding, const Trace& trace) {
  if (finding.kind == FindingKind::DataRace && config.races == Races::Ignore) return false;
  const auto& allowed = config.allowed_exits;
  const bool is_exit = finding.kind == FindingKind::UncaughtExit && trace.end != wire::End::Died;
  return !is_exit || std::find(allowed.begin(), allowed.end(), exit_status_of(trace)) == allowed.end();
}

FindingCollector::FindingCollector(const Config& config, Program& program, Patience& patience, PlaceName place)
    : config_(config), program_(program), patience_(patience), place_(std::move(place)) {}

std::vector<Finding> FindingCollector::news(const Request& request, const Trace& trace) {
  std::vector<Finding> findings = detect(trace, seen_);
  std::erase_if(findings, [&](const Finding& f) { return !is_wanted(config_, f, trace) || !seen_.insert(f.signature).second; });
  if (trace.events.size() < request.prefix.size()) {  // died without telling its steps
    for (Finding& finding : findings) {
      finding.choices = request.prefix;
      finding.step = static_cast<std::uint32_t>(request.prefix.size());
    }
  }
  return findings;
}

Status FindingCollector::confirm(const Finding& finding, const Trace& trace) {
  patience_.extend(true);
  Result<Confirmed> confirmed = confirm_run(program_, finding, trace.events, place_);
  if (confirmed && confirmed_.insert(confirmed->finding.signature).second) {
    if (is_cheap_to_repeat(trace.end)) confirmed = shorten(program_, std::move(confirmed).value());
    if (confirmed->trace.events.size() < finding.step) confirmed->finding.choices = finding.choices;
    const bool is_unknown = !confirmed->finding.maybe_ordered_by.empty();
    (is_unknown ? unknown_ : findings_).push_back(std::move(confirmed).value());
    const bool goes_on_past_it = is_unknown || (finding.kind == FindingKind::DataRace && config_.races == Races::Explore);
    enough_ |= config_.stop_at == StopAt::First && !goes_on_past_it;
  }
  patience_.extend(false);
  if (!confirmed) return confirmed.error();
  return Nothing{};
}

void FindingCollector::put_into(Outcome& outcome) {
  outcome.findings = std::exchange(findings_, {});
  outcome.unknown = std::exchange(unknown_, {});
}

}  // namespace heddle
