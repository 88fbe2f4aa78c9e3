#include "explore/explorer.h"

#include <algorithm>

#include <fmt/format.h>

#include "detect/notes.h"
#include "explore/soundness.h"
#include "explore/terms.h"
#include "explore/verdict.h"

namespace heddle {

Explorer::Explorer(const Config& config, Program& program, MakeReduction make_reduction, Patience& patience,
                   ProgressMeter& meter, PlaceName place)
    : config_(config),
      program_(program),
      make_reduction_(std::move(make_reduction)),
      patience_(patience),
      meter_(meter),
      place_(place),
      findings_(config, program, patience, std::move(place)) {}

Explorer::Explorer(const Config& config, Program& program, AutoSearch& auto_search, Patience& patience, ProgressMeter& meter,
                   PlaceName place)
    : Explorer(config, program, [this, &auto_search] { return auto_search.begin(spent()); }, patience, meter, std::move(place)) {
  auto_search_ = &auto_search;
}

Outcome Explorer::explore() {
  advance([](const Tally&) { return false; });
  return conclude();
}

bool Explorer::advance(const Pause& pause) {
  if (!reduction_) take_up(make_reduction_());
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
    if (newly_racy_.empty()) learn(request, *trace);
    replay_check_.remember(std::move(trace->events));
    if (times_out_without_end(tally_)) bound_timeouts();
    if (trace->end == wire::End::StepLimit && tally_.hit_step_limit) cover_cut_runs();
    if (!newly_racy_.empty() || trace->states_void) start_over();
    if (auto_search_ != nullptr) reconsider();
    if (!stop_ && pause(tally_)) return pause_here();
  }
  return true;
}

// Somebody else may want the program meanwhile.
bool Explorer::pause_here() {
  if (Status drained = drain(); !drained) fail(drained.error());
  return stop_;
}

// --- the reduction ---------------------------------------------------------------------------------------------------

void Explorer::take_up(std::unique_ptr<Reduction> reduction) {
  reduction_ = std::move(reduction);
  reduction_->heed(StopPoll([this] { return patience_.over(); }));
}

// Nothing, and stop_, if our patience was over before its answer came: what it owes then is not known.
std::optional<Request> Explorer::next_request() {
  try {
    return reduction_->next();
  } catch (const Abandoned&) {
    stop_ = true;
    return std::nullopt;
  }
}

void Explorer::learn(const Request& request, const Trace& trace) {
  try {
    reduction_->learn(request, trace);
  } catch (const Abandoned&) {
    stop_ = true;
  }
}

// --- asking ----------------------------------------------------------------------------------------------------------

bool Explorer::may_ask() const {
  if (config_.max_executions && asked_count_ >= *config_.max_executions) return false;
  const int ahead = reduction_->independent() ? program_.capacity() : 1;
  return !owes_nothing_ && static_cast<int>(asked_.size()) < ahead && !patience_.over();
}

void Explorer::ask_ahead() {
  while (may_ask()) {
    std::optional<Request> request = next_request();
    if (stop_) return;
    if (!request) {
      owes_nothing_ = true;
      return;
    }
    if (request->forget_visited) {
      program_.forget_states();
      outcome_.statistics.states = 0;
    }
    request->timeouts = timeouts_;
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

void Explorer::count(const Request& request, const Trace& trace) {
  tally_.count(request, trace);
  const double elapsed = patience_.elapsed_s();
  if (!meter_.due(elapsed)) return;
  tally_.put_into(outcome_.statistics);
  Progress progress = reduction_->progress();
  progress.preemptions = reduction_->preemption_bound();
  meter_.show(outcome_.statistics, progress, elapsed);
}

bool Explorer::is_sound(const Request& request, const Trace& trace) {
  if (auto trouble = trouble_with(request, trace, replay_check_, place_)) fail(*trouble);
  return !failed_;
}

void Explorer::judge(const Request& request, const Trace& trace) {
  take_notes(trace);
  for (const Finding& finding : findings_.news(request, trace)) {
    if (stop_) return;
    report(finding, trace);
  }
  show_what_interferes(trace);
}

void Explorer::take_notes(const Trace& trace) {
  tally_.ignored_race |= ignores_race(config_, trace);
  if (trace.unjoined == 0 && trace.reports.empty()) return;
  for (const std::string& text : notes_of(trace)) note(text);
}

void Explorer::report(const Finding& finding, const Trace& trace) {
  if (Status drained = drain(); !drained) return fail(drained.error());
  const std::size_t before = findings_.findings().size();
  if (Status confirmed = findings_.confirm(finding, trace); !confirmed) return fail(confirmed.error());
  findings_.show_in(visible_ranges(), before);
  const auto bound = reduction_->preemption_bound();
  if (bound && bound->grows && findings_.findings().size() > before)
    note(note_on_least(findings_.findings().back().finding.message, *bound));
  if (finding.lap > 0 && config_.livelocks == Livelocks::Possible) note("threads that go round like this only by bad luck can be accepted: --livelocks=certain");
  if (findings_.enough()) stop_ = true;
}

// --- races that are explored, and hidden objects whose order matters -----------------------------------------------------------------------------------------

bool Explorer::explores_races() const {
  return config_.races == Races::Explore && config_.visibility == wire::Visibility::Racy;
}

std::vector<wire::VisibleRange> Explorer::visible_ranges() const {
  std::vector<wire::VisibleRange> ranges;
  for (const auto& [address, size] : visible_) ranges.push_back({address, size});
  return ranges;
}

void Explorer::show_what_interferes(const Trace& trace) {
  for (const wire::Report& r : trace.reports) {
    if (r.kind != wire::ReportKind::OrderMatters && !(r.kind == wire::ReportKind::DataRace && explores_races())) continue;
    const std::pair range{r.address, std::max({r.size, r.other_size, 1u})};
    if (!visible_.contains(range)) newly_racy_.insert(range);
  }
}

// What was learned holds for the smaller set of visible operations, or for states without time, only.
void Explorer::start_over() {
  if (stop_ || failed_) return;
  if (Status drained = drain(); !drained) return fail(drained.error());
  arrived_.clear();
  asked_count_ -= asked_.size();  // nobody looks at these runs
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
  tally_.states = 0;
  take_up(std::move(reduction));
  replay_check_.remember({});
  owes_nothing_ = false;
}

// --- another algorithm -----------------------------------------------------------------------------------------------

Spent Explorer::spent() const {
  return {patience_.elapsed_s(), tally_.runs()};
}

// Only between runs of a search that makes one at a time: nothing is in flight, nothing is lost.
void Explorer::reconsider() {
  if (stop_ || owes_nothing_ || !asked_.empty()) return;
  std::unique_ptr<Reduction> other = auto_search_->reconsider(spent(), *reduction_);
  if (!other) return;
  given_up_ = reduction_->name();
  take_up(std::move(other));
  replay_check_.remember({});
  meter_.say(auto_search_->reason());
  note(auto_search_->reason());
}

// --- runs that are cut -----------------------------------------------------------------------------------------------

void Explorer::bound_timeouts() {
  if (stop_ || config_.timeouts || timeouts_ != 0 || !reduction_->exhaustive()) return;
  timeouts_ = 1;
  meter_.say(note_on_timeouts());
  note(note_on_timeouts());
  tally_.hit_step_limit = false;
  start_over();
}

void Explorer::cover_cut_runs() {
  if (stop_ || !asked_.empty()) return;
  std::unique_ptr<Reduction> other = reduction_->for_cut_runs();
  if (!other) return;
  note(note_on_cut_runs(reduction_->name(), other->name()));
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
  if (noted_.insert(text).second) add_note(outcome_, text);
}

// The last run may have been the last one allowed and the last one owed at once.
bool Explorer::was_exhausted() {
  if (stop_ || !asked_.empty() || !reduction_->exhaustive()) return false;
  if (!owes_nothing_ && !patience_.over()) owes_nothing_ = !next_request().has_value() && !stop_;
  return owes_nothing_;
}

// A fingerprint takes 16 bytes of a table that is at most three quarters full.
void Explorer::note_storage() {
  Statistics& s = outcome_.statistics;
  if (s.states == 0) return;
  const StoredFacts stored = reduction_->stored();
  s.stored_transitions = stored.transitions;
  s.bytes_per_state = sizeof(wire::Fingerprint) * 4 / 3 + stored.bytes / s.states;
  if (tally_.table_full)
    note("the table of states was full (--max-memory): states beyond it were explored again and again");
}

std::string Explorer::algorithm() const {
  return given_up_.empty() ? std::string(reduction_->name()) : fmt::format("{}+{}", given_up_, reduction_->name());
}

Outcome Explorer::conclude() {
  meter_.clear();
  const bool exhausted = was_exhausted();
  outcome_.algorithm = algorithm();
  outcome_.sampling = reduction_->sampled();
  findings_.put_into(outcome_);
  outcome_.uncovered_notes = program_.uncovered();
  if (const Address place = reduction_->strayed_at())
    add_notes(outcome_.uncovered_notes, {{wire::UncoveredKind::Access, place, "", "memory that decides what comes here is accessed unseen"}});
  outcome_.order_pairs = program_.order_pairs();
  tally_.put_into(outcome_.statistics);
  outcome_.statistics.time_s = patience_.elapsed_s();
  outcome_.statistics.peak_rss_kb = peak_rss_kb();
  outcome_.preemptions = reduction_->preemption_bound();
  note_storage();
  if (outcome_.preemptions) note(note_on_bound(*outcome_.preemptions, exhausted));
  decide(outcome_, {exhausted, failed_, reduction_->covers_step_bound(), timeouts_ != 0 ? timeouts_ : config_.timeouts.value_or(0)}, tally_, config_);
  return std::move(outcome_);
}

}  // namespace heddle
