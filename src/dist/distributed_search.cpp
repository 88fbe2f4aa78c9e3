#include "dist/distributed_search.h"

#include <sys/resource.h>

#include <algorithm>

#include <fmt/format.h>

#include "detect/evidence.h"
#include "replay/shorten.h"

namespace heddle {
namespace {

constexpr int kWaitMs = 50;
constexpr std::uint64_t kMostLosses = 1000;  // a machine that kills everything
constexpr int kMostTroubles = 20;            // of the environment, with no unit finished in between

Statistics statistics_of(const Tally& t) {
  Statistics s;
  s.executions = t.executions;
  s.blocked = t.blocked;
  s.transitions = t.transitions;
  s.replayed = t.replayed;
  s.max_depth = t.max_depth;
  s.threads = t.threads;
  return s;
}

int exit_status_of(const Trace& trace) {
  for (const wire::Report& report : trace.reports)
    if (report.kind == wire::ReportKind::Exit) return report.signal;
  return trace.exit_status;
}

bool is_cheap_to_repeat(wire::End end) {
  return end == wire::End::Completed || end == wire::End::Deadlock || end == wire::End::Stopped;
}

}  // namespace

DistributedSearch::DistributedSearch(const Config& config, Program& program, Crew& crew, Patience& patience,
                                     ProgressMeter& meter, PlaceName place)
    : config_(config),
      program_(program),
      crew_(crew),
      patience_(patience),
      meter_(meter),
      place_(std::move(place)),
      balancer_([&crew](int worker, const Command& command) { crew.send(worker, to_bytes(command)); }, config.unload_at) {}

Outcome DistributedSearch::explore(std::string algorithm) {
  outcome_.algorithm = std::move(algorithm);
  for (int worker : crew_.workers()) balancer_.join(worker);
  while (!stop_ && !balancer_.finished() && !patience_.over()) {
    handle(crew_.receive(kWaitMs));
    show_progress();
    const Tally total = balancer_.total();
    if (config_.max_executions && total.executions + total.blocked >= *config_.max_executions) break;
  }
  return conclude();
}

void DistributedSearch::handle(Arrival arrival) {
  if (arrival.kind == Arrival::Kind::Nothing) return;
  if (arrival.kind == Arrival::Kind::Lost) return lose(arrival);
  const std::optional<Report> report = from_bytes<Report>(arrival.message);
  if (!report || !balancer_.take(arrival.worker, *report))
    return fail({"a worker sent what makes no sense", "this is a bug in heddle", ExitCode::Internal});
  for (const std::string& text : report->notes) note(text);
  for (const Suspect& suspect : report->suspects)
    if (!stop_) judge(suspect);
  if (report->finished) troubles_ = 0;
  // Our own program has started, so what keeps another one from starting may pass. The worker leaves, and is replaced.
  const bool may_pass = report->error && report->error->code == ExitCode::Usage && ++troubles_ <= kMostTroubles;
  if (report->error && !may_pass && !stop_) fail(*report->error);
}

void DistributedSearch::lose(const Arrival& arrival) {
  if (arrival.broken) return fail({"a worker failed an internal check; its message is above", "this is a bug in heddle", ExitCode::Internal});
  balancer_.lose(arrival.worker);
  if (++losses_ > kMostLosses) return fail({"workers are killed faster than they can work", "run with fewer workers (-j)"});
  if (auto worker = crew_.replace(arrival.worker)) balancer_.join(*worker);
  else if (crew_.workers().empty()) fail({"all workers are gone, and no new one can be started", "run with fewer workers (-j)"});
}

// --- findings --------------------------------------------------------------------------------------------------------

void DistributedSearch::judge(const Suspect& suspect) {
  if (seen_.contains(suspect.signature)) return;
  Request request;
  request.prefix = suspect.choices;
  patience_.extend(true);
  Result<Trace> trace = program_.run(request);
  patience_.extend(false);
  if (!trace) return fail(trace.error());
  if (trace->end == wire::End::Unsupported) {
    const wire::Report report = trace->reports.empty() ? wire::Report{} : trace->reports.front();
    return fail({fmt::format("unsupported: {} at {}", trace->reports.empty() ? "a call" : report_text(report), place_(report.pc)),
                 "keep the call out of what is tested, or replace it there by one that heddle models", ExitCode::Unsupported});
  }
  for (Finding& finding : detect(*trace)) {
    if (stop_) return;
    if (finding.kind == FindingKind::DataRace && config_.races == Races::Ignore) continue;
    const auto& allowed = config_.allowed_exits;
    const bool is_exit = finding.kind == FindingKind::UncaughtExit && trace->end != wire::End::Died;
    if (is_exit && std::find(allowed.begin(), allowed.end(), exit_status_of(*trace)) != allowed.end()) continue;
    if (!seen_.insert(finding.signature).second) continue;
    if (trace->events.size() < request.prefix.size()) {
      finding.choices = request.prefix;
      finding.step = static_cast<std::uint32_t>(request.prefix.size());
    }
    confirm(finding, *trace);
  }
  seen_.insert(suspect.signature);
}

void DistributedSearch::confirm(const Finding& finding, const Trace& trace) {
  patience_.extend(true);
  Result<Confirmed> confirmed = confirm_run(program_, finding, trace.events, place_);
  if (!confirmed) {
    fail(confirmed.error());
  } else if (confirmed_.insert(confirmed->finding.signature).second) {
    if (is_cheap_to_repeat(trace.end)) confirmed = shorten(program_, std::move(confirmed).value());
    if (confirmed->trace.events.size() < finding.step) confirmed->finding.choices = finding.choices;
    outcome_.findings.push_back(std::move(confirmed).value());
    if (config_.stop_at == StopAt::First) stop_ = true;
  }
  patience_.extend(false);
}

// --- the end ---------------------------------------------------------------------------------------------------------

void DistributedSearch::fail(const Error& error) {
  stop_ = true;
  if (error.code == ExitCode::Incomplete) return;
  failed_ = true;
  outcome_.error = error;
}

void DistributedSearch::note(const std::string& text) {
  if (noted_.insert(text).second) outcome_.notes.push_back(text);
}

void DistributedSearch::show_progress() {
  const double elapsed = patience_.elapsed_s();
  if (!meter_.due(elapsed)) return;
  Progress progress;
  progress.pending = balancer_.waiting();
  meter_.show(statistics_of(balancer_.total()), progress, elapsed);
}

Outcome DistributedSearch::conclude() {
  meter_.clear();
  const bool exhausted = balancer_.finished() && !stop_;
  const Tally total = balancer_.total();
  outcome_.statistics = statistics_of(total);
  outcome_.statistics.time_s = patience_.elapsed_s();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  outcome_.statistics.peak_rss_kb = static_cast<std::uint64_t>(usage.ru_maxrss);
  if (total.hit_step_limit) {
    outcome_.max_steps = config_.max_steps;
    note(fmt::format("some runs were cut after {} steps (--max-steps); with -j not everything within such a bound is covered", config_.max_steps));
  }
  if (total.ignored_race)
    note("data races were seen and ignored (--races=ignore); behaviour that depends on them is not covered");
  if (losses_ > 0) note(fmt::format("workers lost: {}; units that were repeated: {}", losses_, balancer_.repeated()));
  if (!outcome_.findings.empty()) {
    outcome_.verdict = Verdict::Bug;
    if (failed_) note("the search ended early: " + outcome_.error.what);
  } else if (failed_) {
    outcome_.verdict = Verdict::Error;
  } else if (!exhausted || total.hit_step_limit) {
    outcome_.verdict = Verdict::Incomplete;
  } else {
    outcome_.verdict = total.ignored_race ? Verdict::WithinBound : Verdict::Verified;
  }
  return std::move(outcome_);
}

}  // namespace heddle
