#include "explore/explorer.h"

#include <sys/resource.h>

#include <algorithm>

#include <fmt/format.h>

#include "detect/evidence.h"
#include "detect/notes.h"
#include "replay/shorten.h"

namespace heddle {
namespace {

std::uint64_t peak_rss_kb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss);
}

int exit_status_of(const Trace& trace) {
  for (const wire::Report& report : trace.reports) {
    if (report.kind == wire::ReportKind::Exit) return report.signal;
  }
  return trace.exit_status;
}

Error unsupported_error(const Trace& trace, const PlaceName& place) {
  const wire::Report report = trace.reports.empty() ? wire::Report{} : trace.reports.front();
  return {fmt::format("unsupported: {} at {}", trace.reports.empty() ? "a call" : report_text(report), place(report.pc)),
          "keep the call out of what is tested, or replace it there by one that heddle models", ExitCode::Unsupported};
}

std::string counted(std::uint32_t preemptions) { return fmt::format("{} preemption{}", preemptions, preemptions == 1 ? "" : "s"); }

// Runs that can be repeated at no other cost than their steps.
bool is_cheap_to_repeat(wire::End end) {
  return end == wire::End::Completed || end == wire::End::Deadlock || end == wire::End::Stopped;
}

}  // namespace

Explorer::Explorer(const Config& config, Program& program, MakeReduction make_reduction, Patience& patience,
                   ProgressMeter& meter, PlaceName place)
    : config_(config),
      program_(program),
      make_reduction_(std::move(make_reduction)),
      patience_(patience),
      meter_(meter),
      place_(std::move(place)) {}

Explorer::Explorer(const Config& config, Program& program, AutoSearch& auto_search, Patience& patience, ProgressMeter& meter,
                   PlaceName place)
    : Explorer(config, program, [this, &auto_search] { return auto_search.begin(spent()); }, patience, meter, std::move(place)) {
  auto_search_ = &auto_search;
}

Outcome Explorer::explore() {
  reduction_ = make_reduction_();
  while (!stop_) {
    ask_ahead();
    if (asked_.empty()) break;
    Result<Trace> trace = next_trace();
    if (!trace) {
      fail(trace.error());
      break;
    }
    const Request request = std::move(asked_.front());
    asked_.pop_front();
    count(request, *trace);
    if (!is_sound(request, *trace)) break;
    judge(request, *trace);
    reduction_->learn(request, *trace);
    replay_check_.remember(std::move(trace->events));
    if (trace->end == wire::End::StepLimit) cover_cut_runs();
    if (!newly_racy_.empty() || trace->states_void) start_over();
    if (auto_search_ != nullptr) reconsider();
  }
  return conclude();
}

// --- asking ----------------------------------------------------------------------------------------------------------

bool Explorer::may_ask() const {
  if (config_.max_executions && asked_count_ >= *config_.max_executions) return false;
  const int ahead = reduction_->independent() ? program_.capacity() : 1;
  return !owes_nothing_ && static_cast<int>(asked_.size()) < ahead && !patience_.over();
}

void Explorer::ask_ahead() {
  while (may_ask()) {
    std::optional<Request> request = reduction_->next();
    if (!request) {
      owes_nothing_ = true;
      return;
    }
    if (request->forget_visited) {
      program_.forget_states();
      outcome_.statistics.states = 0;
    }
    if (Status sent = program_.submit(*request); !sent) return fail(sent.error());
    asked_.push_back(std::move(*request));
    ++asked_count_;
  }
}

Result<Trace> Explorer::next_trace() {
  if (arrived_.empty()) return program_.collect();
  Trace trace = std::move(arrived_.front());
  arrived_.pop_front();
  return trace;
}

// Collect what is in flight, so that a run of our own can be made in between.
Status Explorer::drain() {
  while (program_.in_flight() > 0) {
    Result<Trace> trace = program_.collect();
    if (!trace) return trace.error();
    arrived_.push_back(std::move(*trace));
  }
  return Nothing{};
}

// --- looking at a trace ----------------------------------------------------------------------------------------------

namespace {

// A loop that reads several locations waits for any of them to change, and a trace does not tell for which. A reduction may
// therefore ask for the end of the wait where it has not come yet. Nothing is wrong then; the run is a redundant one.
bool waits_in_vain(const Request& request, const Trace& trace) {
  if (trace.end != wire::End::Diverged || trace.events.size() >= request.prefix.size()) return false;
  const std::uint8_t wanted = request.prefix[trace.events.size()].thread;
  return std::any_of(trace.pending.begin(), trace.pending.end(), [&](const Pending& p) {
    return p.thread == wanted && p.op == Op::Await && p.object == 0 && !p.enabled;
  });
}

}  // namespace

void Explorer::count(const Request& request, const Trace& trace) {
  Statistics& s = outcome_.statistics;
  const bool is_cut = trace.end == wire::End::StepLimit && request.max_steps != 0;  // as the reduction wanted
  if (trace.end == wire::End::Revisited) ++s.revisits;
  else ++(trace.end == wire::End::SleepBlocked || is_cut || waits_in_vain(request, trace) ? s.blocked : s.executions);
  table_full_ |= trace.visited_full;
  if (request.capture == Capture::UntilVisited) s.states += trace.states.size() - (trace.end == wire::End::Revisited);
  std::size_t replayed = std::min(request.prefix.size(), trace.events.size());
  if (request.capture == Capture::UntilVisited && replayed > 0) --replayed;  // the last step asked for is new
  s.replayed += replayed;
  s.transitions += trace.events.size() - replayed;
  s.max_depth = std::max<std::uint64_t>(s.max_depth, trace.events.size());
  s.threads = std::max<std::uint64_t>(s.threads, trace.threads);
  hit_step_limit_ |= trace.end == wire::End::StepLimit && !is_cut;
  const double elapsed = patience_.elapsed_s();
  if (!meter_.due(elapsed)) return;
  Progress progress = reduction_->progress();
  progress.preemptions = reduction_->preemption_bound();
  meter_.show(s, progress, elapsed);
}

// False for a run that says nothing about the program: it did not follow its schedule, or met what is not modelled.
bool Explorer::is_sound(const Request& request, const Trace& trace) {
  const std::optional<Divergence> divergence = replay_check_.compare(request, trace);
  if (waits_in_vain(request, trace) && !(divergence && divergence->recorded)) return true;
  if (divergence) {
    fail(divergence_error("the program does not repeat itself", *divergence, place_));
  } else if (trace.end == wire::End::Diverged) {
    fail(divergence_error("the program does not repeat itself", compare_runs({}, trace), place_));
  } else if (trace.end == wire::End::Unsupported) {
    fail(unsupported_error(trace, place_));
  }
  return !failed_;
}

void Explorer::judge(const Request& request, const Trace& trace) {
  take_notes(trace);
  for (Finding& finding : detect(trace)) {
    if (stop_) return;
    if (!is_wanted(finding, trace)) continue;
    if (trace.events.size() < request.prefix.size()) {  // died without telling its steps
      finding.choices = request.prefix;
      finding.step = static_cast<std::uint32_t>(request.prefix.size());
    }
    report(finding, trace);
  }
  if (config_.races == Races::Explore && config_.visibility == wire::Visibility::Racy) show_racy_addresses(trace);
}

void Explorer::take_notes(const Trace& trace) {
  if (trace.unjoined == 0 && trace.reports.empty()) return;
  for (const std::string& text : notes_of(trace)) note(text);
}

bool Explorer::is_wanted(const Finding& finding, const Trace& trace) {
  if (finding.kind == FindingKind::DataRace && config_.races == Races::Ignore) {
    ignored_race_ = true;
    return false;
  }
  const auto& allowed = config_.allowed_exits;
  const bool is_exit = finding.kind == FindingKind::UncaughtExit && trace.end != wire::End::Died;
  if (is_exit && std::find(allowed.begin(), allowed.end(), exit_status_of(trace)) != allowed.end()) return false;
  return seen_signatures_.insert(finding.signature).second;
}

// Runs the finding again, and keeps it if it is one that we do not have.
void Explorer::report(const Finding& finding, const Trace& trace) {
  if (Status drained = drain(); !drained) return fail(drained.error());
  patience_.extend(true);
  Result<Confirmed> confirmed = confirm_run(program_, finding, trace.events, place_);
  if (!confirmed) {
    fail(confirmed.error());
  } else if (confirmed_signatures_.insert(confirmed->finding.signature).second) {
    if (is_cheap_to_repeat(trace.end)) confirmed = shorten(program_, std::move(confirmed).value());
    if (confirmed->trace.events.size() < finding.step) confirmed->finding.choices = finding.choices;
    const auto bound = reduction_->preemption_bound();
    if (bound && bound->grows) note(fmt::format("{}: {} suffice, fewer do not", confirmed->finding.message, counted(bound->most)));
    outcome_.findings.push_back(std::move(confirmed).value());
    const bool goes_on_past_it = finding.kind == FindingKind::DataRace && config_.races == Races::Explore;
    if (config_.stop_at == StopAt::First && !goes_on_past_it) stop_ = true;
  }
  patience_.extend(false);
}

// --- races that are explored -----------------------------------------------------------------------------------------

void Explorer::show_racy_addresses(const Trace& trace) {
  for (const wire::Report& r : trace.reports) {
    if (r.kind != wire::ReportKind::DataRace) continue;
    const std::pair range{r.address, std::max({r.size, r.other_size, 1u})};
    if (!visible_.contains(range)) newly_racy_.insert(range);
  }
}

// What was learned holds for the smaller set of visible operations, or for states without time, only.
void Explorer::start_over() {
  if (stop_ || failed_) return;
  if (Status drained = drain(); !drained) return fail(drained.error());
  arrived_.clear();
  asked_.clear();
  for (const auto& [address, size] : newly_racy_) {
    if (Status done = program_.make_visible(address, size); !done) return fail(done.error());
  }
  visible_.merge(newly_racy_);
  newly_racy_.clear();
  start_with(make_reduction_());
}

// REQUIRES nothing asked for.
void Explorer::start_with(std::unique_ptr<Reduction> reduction) {
  program_.forget_states();
  reduction_ = std::move(reduction);
  outcome_.statistics.states = 0;
  replay_check_.remember({});
  owes_nothing_ = false;
}

// --- another algorithm -----------------------------------------------------------------------------------------------

Spent Explorer::spent() const {
  return {patience_.elapsed_s(), outcome_.statistics.executions + outcome_.statistics.blocked};
}

// Only between runs of a search that makes one at a time: nothing is in flight, nothing is lost.
void Explorer::reconsider() {
  if (stop_ || owes_nothing_ || !asked_.empty()) return;
  std::unique_ptr<Reduction> other = auto_search_->reconsider(spent(), *reduction_);
  if (!other) return;
  given_up_ = reduction_->name();
  reduction_ = std::move(other);
  replay_check_.remember({});
  meter_.say(auto_search_->reason());
  note(auto_search_->reason());
}

// --- runs that are cut -----------------------------------------------------------------------------------------------

void Explorer::cover_cut_runs() {
  if (stop_ || !asked_.empty()) return;
  std::unique_ptr<Reduction> other = reduction_->for_cut_runs();
  if (!other) return;
  note(fmt::format("executions are cut by --max-steps: {} goes on for {}", other->name(), reduction_->name()));
  start_with(std::move(other));
}

// --- the end ---------------------------------------------------------------------------------------------------------

void Explorer::fail(const Error& error) {
  stop_ = true;
  if (error.code == ExitCode::Incomplete) return;  // somebody's patience was over
  failed_ = true;
  outcome_.error = error;
}

void Explorer::note(const std::string& text) {
  if (noted_.insert(text).second) outcome_.notes.push_back(text);
}

// The last run may have been the last one allowed and the last one owed at once.
bool Explorer::was_exhausted() {
  if (stop_ || !asked_.empty() || !reduction_->exhaustive()) return false;
  if (!owes_nothing_ && !patience_.over()) owes_nothing_ = !reduction_->next().has_value();
  return owes_nothing_;
}

namespace {

std::string preemptions_note(const PreemptionBound& bound, bool exhausted) {
  if (exhausted && !bound.cut) return fmt::format("no execution was left out for its preemptions (at most {})", bound.most);
  if (exhausted || !bound.grows) return fmt::format("executions with more than {} were left out (--preemptions)", counted(bound.most));
  const std::string under_way = fmt::format("executions with at most {} were under way (--preemptions=auto)", counted(bound.most));
  return bound.most == 0 ? under_way : fmt::format("everything with at most {} was explored; {}", counted(bound.most - 1), under_way);
}

}  // namespace

// A fingerprint takes 16 bytes of a table that is at most three quarters full.
void Explorer::note_storage() {
  Statistics& s = outcome_.statistics;
  if (s.states == 0) return;
  const StoredFacts stored = reduction_->stored();
  s.stored_transitions = stored.transitions;
  s.bytes_per_state = sizeof(wire::Fingerprint) * 4 / 3 + stored.bytes / s.states;
  if (table_full_)
    note("the table of states was full (--max-memory): states beyond it were explored again and again");
}

Outcome Explorer::conclude() {
  meter_.clear();
  const bool exhausted = was_exhausted();
  outcome_.algorithm = given_up_.empty() ? reduction_->name() : fmt::format("{}+{}", given_up_, reduction_->name());
  outcome_.sampling = reduction_->sampled();
  outcome_.statistics.time_s = patience_.elapsed_s();
  outcome_.statistics.peak_rss_kb = peak_rss_kb();
  note_storage();
  const bool cut_by_reduction = hit_step_limit_ && !reduction_->covers_step_bound();
  if (hit_step_limit_)
    note(fmt::format("some runs were cut after {} steps (--max-steps){}", config_.max_steps,
                     cut_by_reduction ? "; this search does not cover everything within such a bound" : ""));
  if (hit_step_limit_) outcome_.max_steps = config_.max_steps;
  outcome_.preemptions = reduction_->preemption_bound();
  if (outcome_.preemptions) note(preemptions_note(*outcome_.preemptions, exhausted));
  if (ignored_race_)
    note("data races were seen and ignored (--races=ignore); behaviour that depends on them is not covered");
  if (!outcome_.findings.empty()) {
    outcome_.verdict = Verdict::Bug;
    if (failed_) note("the search ended early: " + outcome_.error.what);
  } else if (failed_) {
    outcome_.verdict = Verdict::Error;
  } else if (!exhausted || cut_by_reduction) {
    outcome_.verdict = Verdict::Incomplete;
  } else {
    const std::optional<PreemptionBound>& bound = outcome_.preemptions;
    const bool bounded = bound && (bound->cut || !bound->grows);
    outcome_.verdict = bounded || hit_step_limit_ || ignored_race_ ? Verdict::WithinBound : Verdict::Verified;
  }
  return std::move(outcome_);
}

}  // namespace heddle
