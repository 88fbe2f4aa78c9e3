#include "dist/distributed_search.h"

#include <algorithm>

#include <fmt/format.h>

#include "explore/soundness.h"
#include "explore/verdict.h"

namespace heddle {
namespace {

constexpr int kWaitMs = 50;
constexpr std::uint64_t kMostLosses = 1000;  // a machine that kills everything
constexpr int kMostTroubles = 20;            // of the environment, with no unit finished in between
constexpr double kSaveWaitS = 2;             // for a worker in a long run; it then goes on from an earlier place
constexpr double kHastySaveWaitS = 0.3;      // once we are told to end: mpirun kills a second later, and a rank that it has lost never answers

Trunk::Sleep sleep_in(const Config& config) {
  return config.sleep_sets && config.preemptions.kind == Preemptions::Any ? Trunk::Sleep::Yes : Trunk::Sleep::No;
}

std::unique_ptr<Frontier> new_frontier(const Config& config, const DistributedSearch::Subject& subject) {
  if (subject.exhaustive) return std::make_unique<Trunk>(sleep_in(config));
  return std::make_unique<Seeds>(config.max_executions, subject.horizon_begins);
}

std::unique_ptr<Frontier> restored_frontier(const Config& config, const DistributedSearch::Subject& subject, const Bytes& saved) {
  if (subject.exhaustive) {
    std::optional<Trunk> trunk = Trunk::restore(saved, sleep_in(config));
    return trunk ? std::make_unique<Trunk>(std::move(*trunk)) : nullptr;
  }
  auto seeds = std::make_unique<Seeds>(config.max_executions, subject.horizon_begins);
  return seeds->restore(saved) ? std::move(seeds) : nullptr;
}

}  // namespace

DistributedSearch::DistributedSearch(const Config& config, Program& program, Crew& crew, Patience& patience, ProgressMeter& meter,
                                     Subject subject, PlaceName place)
    : config_(config),
      program_(program),
      crew_(crew),
      patience_(patience),
      meter_(meter),
      subject_(std::move(subject)),
      place_(place),
      balancer_([this](int worker, const Command& command) { send(worker, command); }, config.unload_at,
                new_frontier(config, subject_)),
      findings_(config, program_, patience, std::move(place)) {
  outcome_.algorithm = subject_.algorithm;
}

Status DistributedSearch::resume(const Checkpoint& from) {
  std::unique_ptr<Frontier> frontier = restored_frontier(config_, subject_, from.search.frontier);
  if (!frontier) return Error{"the checkpoint makes no sense", "begin anew without --resume"};
  balancer_.restore(from.search, std::move(frontier));
  for (const HiddenPart& part : balancer_.terms().hidden)
    if (Status shown = program_.make_visible(part.address, part.size); !shown) return shown;
  meter_.start_at(balancer_.total().runs());
  for (const std::string& text : from.notes) note(text);
  uncovered_ = from.uncovered;
  order_pairs_ = from.order_pairs;
  for (const Suspect& suspect : from.findings) judge(suspect);
  for (const std::string& signature : from.signatures) findings_.see(signature);
  losses_ = from.losses;
  earlier_s_ = from.elapsed_s;
  return Nothing{};
}

Outcome DistributedSearch::explore() {
  next_save_s_ = patience_.elapsed_s() + config_.checkpoint_interval_s;
  for (int worker : crew_.workers()) join(worker);
  raise_bound();
  while (!stop_ && !balancer_.finished() && !patience_.over() && is_allowed_more()) {
    handle(crew_.receive(kWaitMs, balancer_.idle() > 0));
    show_progress();
    keep_checkpoint();
  }
  last_checkpoint();
  return conclude();
}

bool DistributedSearch::is_allowed_more() const {
  return !config_.max_executions || balancer_.total().runs() < *config_.max_executions;
}

// --- workers ---------------------------------------------------------------------------------------------------------

void DistributedSearch::send(int worker, const Command& command) {
  if (command.kind == Command::Kind::Explore) clock_in(worker);
  crew_.send(worker, to_bytes(command));
}

void DistributedSearch::join(int worker) {
  timesheets_[worker].joined_s = patience_.elapsed_s();
  balancer_.join(worker);
}

void DistributedSearch::handle(Arrival arrival) {
  if (arrival.kind == Arrival::Kind::Nothing) return;
  if (arrival.kind == Arrival::Kind::Lost) return lose(arrival);
  const std::optional<Report> report = from_bytes<Report>(arrival.message);
  if (report) {  // whatever it is about: the program has such places
    add_notes(uncovered_, report->uncovered);
    add_pairs(order_pairs_, report->order_pairs);
  }
  const auto heard = report ? balancer_.take(arrival.worker, *report) : Balancer::Heard::Nonsense;
  if (!balancer_.is_busy(arrival.worker)) clock_out(arrival.worker);
  if (heard == Balancer::Heard::Outdated) return reconsider(report->suspects);
  if (heard == Balancer::Heard::Nonsense)
    return fail({"a worker sent what makes no sense", "this is a bug in heddle", ExitCode::Internal});
  for (const std::string& text : report->notes) note(text);
  for (const Suspect& suspect : report->suspects) judge_within_bound(suspect);
  if (report->finished) troubles_ = 0;
  consider_terms(*report);
  raise_bound();
  // Our own program has started, so what keeps another one from starting may pass. The worker leaves, and is replaced.
  const bool may_pass = report->error && report->error->code == ExitCode::Usage && ++troubles_ <= kMostTroubles;
  if (report->error && !may_pass && !stop_) fail(*report->error);
}

// What makes a search alone start over (explore/explorer.cpp) does so here, too.
void DistributedSearch::consider_terms(const Report& report) {
  if (!stop_ && show_hidden(report.hidden)) return;
  Terms terms = balancer_.terms();
  const bool may_time_out = terms.timeouts == 0 && !config_.timeouts && report.unsettled.most_timeouts > 0;
  const bool may_be_cut = !terms.cut_runs && report.unsettled.hit_step_limit;
  if (stop_ || !subject_.exhaustive || !(may_time_out || may_be_cut)) return;
  if (may_time_out && times_out_without_end(balancer_.total())) {
    terms.timeouts = 1;
    terms.preemptions = 0;
    terms.cut_runs = false;
    runs_below_ = 0;
    meter_.say(note_on_timeouts());
    note(note_on_timeouts());
  } else if (may_be_cut) {
    terms.cut_runs = true;
    if (subject_.for_cut_runs != subject_.algorithm) note(note_on_cut_runs(subject_.algorithm, subject_.for_cut_runs));
  } else {
    return;
  }
  balancer_.start_over(terms, new_frontier(config_, subject_));
}

// Whether the search has started over with them.
bool DistributedSearch::show_hidden(const std::vector<HiddenPart>& parts) {
  Terms terms = balancer_.terms();
  const std::size_t before = terms.hidden.size();
  for (const HiddenPart& part : parts) {
    if (std::find(terms.hidden.begin(), terms.hidden.end(), part) != terms.hidden.end()) continue;
    if (Status shown = program_.make_visible(part.address, part.size); !shown) return fail(shown.error()), true;
    terms.hidden.push_back(part);
  }
  if (terms.hidden.size() == before) return false;
  terms.timeouts = 0;
  terms.cut_runs = false;
  runs_below_ = 0;
  balancer_.start_over(terms, new_frontier(config_, subject_));
  return true;
}

// The next iteration of a search whose bound on preemptions grows (explore/reduction/deepening.h).
void DistributedSearch::raise_bound() {
  const bool grows = config_.preemptions.kind == Preemptions::Growing;
  if (stop_ || !grows || !balancer_.finished() || !preemption_bound()->cut) return;
  runs_below_ = balancer_.total().runs();
  Terms terms = balancer_.terms();
  ++terms.preemptions;
  balancer_.go_on(terms, new_frontier(config_, subject_));
}

std::optional<PreemptionBound> DistributedSearch::preemption_bound() const {
  const bool cut = balancer_.total().left_out_for_preemptions;
  switch (config_.preemptions.kind) {
    case Preemptions::Any: return std::nullopt;
    case Preemptions::AtMost: return PreemptionBound{config_.preemptions.most, cut, false};
    case Preemptions::Growing: return PreemptionBound{balancer_.terms().preemptions, cut, true};
  }
  return std::nullopt;
}

void DistributedSearch::lose(const Arrival& arrival) {
  clock_out(arrival.worker);
  timesheets_[arrival.worker].left_s = patience_.elapsed_s();
  if (arrival.broken) return fail({"a worker failed an internal check; its message is above", "this is a bug in heddle", ExitCode::Internal});
  balancer_.lose(arrival.worker);
  if (++losses_ > kMostLosses) return fail({"workers are killed faster than they can work", "run with fewer workers (-j)"});
  if (auto worker = crew_.replace(arrival.worker)) join(*worker);
  else if (crew_.workers().empty()) fail({"all workers are gone, and no new one can be started", "run with fewer workers (-j)"});
}

void DistributedSearch::fail(const Error& error) {
  stop_ = true;
  if (error.code == ExitCode::Incomplete) return;
  failed_ = true;
  outcome_.error = error;
}

// --- checkpoints -----------------------------------------------------------------------------------------------------

// Everybody is asked where they are; written as soon as all have answered, or the slowest has had its time.
void DistributedSearch::keep_checkpoint() {
  if (config_.checkpoint_file.empty()) return;
  const double now = patience_.elapsed_s();
  if (asked_to_save_s_ < 0) {
    if (now < next_save_s_) return;
    asked_to_save_s_ = now;
    balancer_.ask_to_save();
  }
  if (!balancer_.all_saved() && now - asked_to_save_s_ < kSaveWaitS) return;
  write_checkpoint_now();
  asked_to_save_s_ = -1;
  next_save_s_ = now + config_.checkpoint_interval_s;
}

void DistributedSearch::last_checkpoint() {
  if (config_.checkpoint_file.empty() || failed_) return;
  const double begun = patience_.elapsed_s();
  if (!stop_) balancer_.ask_to_save();  // a bug was found: nobody waits
  patience_.extend(true);
  auto waits = [&] { return patience_.elapsed_s() - begun < (interrupted() ? kHastySaveWaitS : kSaveWaitS); };
  while (!failed_ && !balancer_.all_saved() && waits()) handle(crew_.receive(kWaitMs, true));
  patience_.extend(false);
  if (!failed_) write_checkpoint_now();
}

void DistributedSearch::write_checkpoint_now() {
  const Status written = write_checkpoint(config_.checkpoint_file, checkpoint());
  save_failed_ = !written;
  if (save_failed_) note(written.error().what + "; the one written before, if any, is as it was");
}

Checkpoint DistributedSearch::checkpoint() const {
  Checkpoint c;
  c.facts = subject_.facts;
  c.search = balancer_.save();
  c.findings = found_;
  c.signatures = findings_.signatures();
  c.notes = outcome_.notes;
  c.uncovered = uncovered_;
  c.order_pairs = order_pairs_;
  c.losses = losses_;
  c.elapsed_s = elapsed_s();
  return c;
}

// --- what the user sees ----------------------------------------------------------------------------------------------

void DistributedSearch::clock_in(int worker) {
  Timesheet& t = timesheets_[worker];
  if (t.since_s < 0) t.since_s = patience_.elapsed_s();
}

void DistributedSearch::clock_out(int worker) {
  Timesheet& t = timesheets_[worker];
  if (t.since_s < 0) return;
  t.busy_s += patience_.elapsed_s() - t.since_s;
  t.since_s = -1;
}

void DistributedSearch::show_progress() {
  const double elapsed = patience_.elapsed_s();
  if (!meter_.due(elapsed)) return;
  const Tally total = balancer_.total();
  Statistics statistics;
  total.put_into(statistics);
  Progress progress;
  progress.pending = balancer_.waiting();
  progress.crew = fmt::format("{} of {} workers busy, {} units done", balancer_.busy(), balancer_.busy() + balancer_.idle(), balancer_.units());
  progress.preemptions = preemption_bound();
  if (const double seen = balancer_.seen(); seen > 0)
    progress.estimated_executions = static_cast<double>(runs_below_) + static_cast<double>(total.runs() - runs_below_) / seen;
  meter_.show(statistics, progress, elapsed);
}

Distribution DistributedSearch::distribution() const {
  Distribution d;
  d.units = balancer_.units();
  d.repeated = balancer_.repeated();
  const Tally total = balancer_.total();
  d.redundant = total.blocked + total.unused + balancer_.wasted().executions + balancer_.made_twice();
  const double now = patience_.elapsed_s();
  for (const auto& [number, record] : balancer_.records()) {
    const auto it = timesheets_.find(number);
    const Timesheet t = it == timesheets_.end() ? Timesheet{} : it->second;
    const double there = (t.left_s < 0 ? now : t.left_s) - t.joined_s;
    const double busy = t.busy_s + (t.since_s < 0 ? 0 : now - t.since_s);
    d.workers.push_back({number, record.work.executions, record.work.blocked, record.units, record.repeated,
                         there > 0 ? std::min(1.0, busy / there) : 0, record.lost});
  }
  return d;
}

Outcome DistributedSearch::conclude() {
  meter_.clear();
  const bool exhausted = subject_.exhaustive && balancer_.finished() && !stop_;
  const Tally total = balancer_.total();
  total.put_into(outcome_.statistics);
  outcome_.statistics.time_s = elapsed_s();
  outcome_.statistics.peak_rss_kb = peak_rss_kb();
  findings_.put_into(outcome_);
  add_notes(uncovered_, program_.uncovered());
  outcome_.uncovered_notes = std::move(uncovered_);
  add_pairs(order_pairs_, program_.order_pairs());
  outcome_.order_pairs = std::move(order_pairs_);
  outcome_.distribution = distribution();
  outcome_.sampling = balancer_.sampled();
  if (losses_ > 0) note(fmt::format("workers lost: {}; units that were repeated: {}", losses_, balancer_.repeated()));
  outcome_.preemptions = preemption_bound();
  if (outcome_.preemptions) note(note_on_bound(*outcome_.preemptions, exhausted));
  const Terms& terms = balancer_.terms();
  if (terms.cut_runs) outcome_.algorithm = subject_.for_cut_runs;
  decide(outcome_, {exhausted, failed_, terms.cut_runs, terms.timeouts != 0 ? terms.timeouts : config_.timeouts.value_or(0)}, total, config_);
  const bool can_go_on = !config_.checkpoint_file.empty() && !save_failed_ && !failed_ && !balancer_.finished() && !stop_;
  if (can_go_on) outcome_.resume = config_.resume_command;
  return std::move(outcome_);
}

}  // namespace heddle
