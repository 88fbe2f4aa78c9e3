#include "explore/auto_states.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "explore/reduction/registry.h"
#include "explore/verdict.h"

namespace heddle {
namespace {

constexpr std::uint64_t kFewestRuns = 64;        // that tell how often states repeat
constexpr std::uint64_t kGlance = 16;            // part of the limits that is tried first
constexpr double kPatienceForProof = 10, kAtLeast_s = 2;  // times the trial's time, for a search that may verify what the other cannot
constexpr double kHope = 8;                      // times the trial's time, for a search that expects to be through by then
constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr double kMostOfLimit = 0.8;             // of --timeout; sampling knows what to do with the rest

std::uint64_t steps_of(const Tally& t) { return t.transitions + t.replayed; }
std::uint64_t runs_of(const Tally& t) { return t.runs() + t.revisits; }
bool states_repeat(const Tally& t) { return 2 * t.revisits >= runs_of(t); }

std::string repeats_text(const Tally& t) {
  return fmt::format("{} of {} runs ended at a known one", grouped_number(t.revisits), grouped_number(runs_of(t)));
}

Config storing(Config config) {
  config.algorithm = "dl-spor";
  config.state = wire::StateMode::Exact;
  config.visibility = wire::Visibility::All;
  config.executor = ExecutorChoice::Rollback;
  return config;
}

std::string first_of(std::string a, std::string b, std::string c = {}) { return !a.empty() ? a : !b.empty() ? b : c; }

std::vector<Confirmed> without(const std::vector<Confirmed>& known, std::vector<Confirmed> findings) {
  std::erase_if(findings, [&](const Confirmed& one) {
    return std::any_of(known.begin(), known.end(), [&](const Confirmed& other) { return same_bug(one.finding, other.finding); });
  });
  return findings;
}

}  // namespace

bool may_store_states(const Config& config) {
  return config.algorithm == "auto" && config.workers == 0 && !config.state && !config.max_executions && config.preemptions.kind == Preemptions::Any &&
         config.executor != ExecutorChoice::Fork && config.tree_file.empty();
}

AutoStates::AutoStates(const Config& config, Program& program, StartProgram start, Patience& patience, ProgressMeter& meter, PlaceName place, TrialLimits limits)
    : config_(config),
      storing_config_(storing(config)),
      start_(std::move(start)),
      patience_(patience),
      meter_(meter),
      place_(std::move(place)),
      limits_(limits),
      auto_search_(config),
      plain_(config, program, auto_search_, patience, meter, place_) {}

AutoStates::Explored AutoStates::explore() {
  if (plain_is_through_within_runs(limits_.first_runs / kGlance)) return tell(plain_.conclude(), {}, false);
  double trial_s = timed([&] { objection_ = try_states(kGlance, kNoLimit); });
  if (!through_ || !objection_.empty() || !is_settled()) {
    if (plain_is_through_within_runs(limits_.first_runs)) return tell_plain(storing_ ? storing_->conclude() : Outcome{});
    if (storing_ && plain_wins_during_trial(trial_s)) return tell_plain(storing_->conclude());
  }
  if (objection_.empty() && !is_settled()) {
    if (plain_is_through_within(time_for_plain(trial_s) - in_between_s_)) return tell_plain(storing_->conclude());
  }
  if (objection_.empty() && through_ && !patience_.over())
    say(fmt::format("auto: {} stored states and was through first: {}", storing_->algorithm(), repeats_text(storing_->tally())));
  if (objection_.empty() && !through_) {
    say(fmt::format("auto: {} stores states, since they repeat: {}; {} has its turns, too", storing_->algorithm(), repeats_text(storing_->tally()), plain_.algorithm()));
    if (plain_wins_by_turns(trial_s)) return tell_plain(storing_->conclude());
  }
  Outcome stored = storing_ ? storing_->conclude() : Outcome{};
  if (objection_.empty() && !stored.error.what.empty()) objection_ = fmt::format("the search that stores them failed ({})", stored.error.what);
  if (objection_.empty()) return tell(std::move(stored), plain_.conclude(), true);
  say(fmt::format("auto: {} goes on without stored states: {}", plain_.algorithm(), objection_));
  plain_.advance([](const Tally&) { return false; });
  return tell_plain(std::move(stored));
}

// --- the search with states ------------------------------------------------------------------------------------------

std::string AutoStates::try_states(std::uint64_t part, double time_s) {
  const double end_s = patience_.elapsed_s() + time_s;
  if (!storing_) {
    Result<Program*> program = start_(storing_config_);
    if (!program) return fmt::format("they cannot be captured ({})", program.error().what);
    storing_.emplace(storing_config_, **program, [this] { return find_algorithm(storing_config_.algorithm)->make(storing_config_); }, patience_, meter_, place_);
  }
  auto is_over = [&](const Tally& t) {
    return was_tried(t, part) || patience_.elapsed_s() >= end_s || !objection_to_going_on().empty();
  };
  if (!through_) through_ = storing_->advance(is_over);
  if (through_) return objection_to_verdict();
  return first_of(objection_to_going_on(), objection_to_verdict(),
                  was_tried(storing_->tally(), part) ? objection_to_pace() : "");
}

// The whole trial. Which search is nearer to its end is not known yet: neither waits much longer for the other than it has
// had itself.
bool AutoStates::plain_wins_during_trial(double& trial_s) {
  for (double turn_s = limits_.turn_s;; turn_s *= 2) {
    trial_s += timed([&] { objection_ = try_states(1, turn_s); });
    if (through_ || !objection_.empty() || was_tried(storing_->tally(), 1) || patience_.over()) return false;
    const double begun_s = patience_.elapsed_s();
    if (plain_may_come_to_an_end() && plain_is_through_within(turn_s)) return true;
    in_between_s_ += patience_.elapsed_s() - begun_s;
  }
}

bool AutoStates::was_tried(const Tally& t, std::uint64_t part) const {
  return runs_of(t) >= limits_.trial_runs / part || steps_of(t) >= limits_.steps / part;
}

std::string AutoStates::go_on_storing(double time_s) {
  const double end_s = patience_.elapsed_s() + time_s;
  auto objection = [this] { return first_of(objection_to_going_on(), objection_to_verdict()); };
  through_ = storing_->advance([&](const Tally&) { return patience_.elapsed_s() >= end_s || !objection().empty(); });
  return through_ ? objection_to_verdict() : objection();
}

std::string AutoStates::objection_to_going_on() const {
  if (storing_->tally().hit_step_limit) return fmt::format("with them too, runs are cut after {} steps (--max-steps)", config_.max_steps);
  if (config_.timeout_s && patience_.elapsed_s() >= kMostOfLimit * *config_.timeout_s && !patience_.over())
    return fmt::format("the limit is nearly spent (--timeout {:g})", *config_.timeout_s);
  return {};
}

bool AutoStates::may_miss_races() const { return (plain_.tally().unordered || storing_->tally().unordered) && config_.races != Races::Ignore; }

bool AutoStates::has_bug() const { return through_ && config_.stop_at == StopAt::First && storing_->has_findings(); }

// Where there are executions without end, nobody can verify all of them one by one.
std::string AutoStates::objection_to_verdict() const {
  const bool plain_may_verify = !plain_.tally().hit_step_limit && !storing_->has_cycles();
  if (!may_miss_races() || !plain_may_verify || has_bug() || patience_.over()) return {};
  return "with them, data races that rest on relaxed atomics, failed tries, time-outs or compare-exchanges beside plain accesses may be missed";
}

std::string AutoStates::objection_to_pace() const {
  if (plain_.tally().hit_step_limit) return {};  // there is no other way to the end
  const Tally& t = storing_->tally();
  if (runs_of(t) < kFewestRuns) return fmt::format("capturing them is too dear, with {} steps a run", grouped_number(steps_of(t) / std::max<std::uint64_t>(runs_of(t), 1)));
  if (!states_repeat(t)) return fmt::format("they hardly repeat, {}", repeats_text(t));
  return {};
}

// --- the search without ----------------------------------------------------------------------------------------------

bool AutoStates::plain_is_through_within_runs(std::uint64_t runs) {
  auto is_no_small_program = [&](const Tally& t) { return t.runs() >= runs || steps_of(t) >= limits_.steps || t.hit_step_limit; };
  return plain_.advance(is_no_small_program) || patience_.over();
}

bool AutoStates::plain_is_through_within(double time_s) {
  const double end_s = patience_.elapsed_s() + time_s;
  if (!plain_.advance([&](const Tally&) { return !plain_may_come_to_an_end() || patience_.elapsed_s() >= end_s; })) return false;
  if (!patience_.over()) say(fmt::format("auto: {} was through first, without stored states", plain_.algorithm()));
  return true;
}

bool AutoStates::plain_may_come_to_an_end() const { return !plain_.tally().hit_step_limit && !auto_search_.is_sampling(); }

// It may have been nearly through. Its own estimate is worth little that early, but may earn it some time.
double AutoStates::time_for_plain(double trial_s) const {
  if (through_) return kPatienceForProof * trial_s + kAtLeast_s;
  const auto runs = static_cast<double>(std::max<std::uint64_t>(plain_.tally().runs(), 1));
  const double expected_s = (plain_.progress().estimated_executions / runs - 1) * (patience_.elapsed_s() - trial_s);
  return expected_s < kHope * trial_s ? kHope * trial_s : trial_s;
}

// ENSURES that storing is through or has met with an objection, unless plain is through (true).
bool AutoStates::plain_wins_by_turns(double turn_s) {
  while (objection_.empty() && !through_) {
    turn_s *= 2;
    timed([&] { objection_ = go_on_storing(turn_s); });
    if (objection_.empty() && !through_ && plain_may_come_to_an_end() && plain_is_through_within(turn_s)) return true;
  }
  return false;
}

// What is done in between is not this search's work.
double AutoStates::timed(const std::function<void()>& work) {
  const double begun_s = patience_.elapsed_s();
  work();
  const double time_s = patience_.elapsed_s() - begun_s;
  auto_search_.set_aside(time_s);
  return time_s;
}

// --- the end ---------------------------------------------------------------------------------------------------------

// All states explored is more than some executions.
AutoStates::Explored AutoStates::tell_plain(Outcome stored) {
  Outcome plain = plain_.conclude();
  const bool stored_is_more = plain.verdict == Verdict::Incomplete && stored.verdict == Verdict::WithinBound;
  return stored_is_more ? tell(std::move(stored), std::move(plain), true) : tell(std::move(plain), std::move(stored), false);
}

void AutoStates::say(const std::string& line) {
  meter_.say(line);
  lines_.push_back(line);
}

// What the other search has seen holds for the program, whichever of the two has the verdict.
AutoStates::Explored AutoStates::tell(Outcome outcome, Outcome other, bool stored) {
  for (const std::string& line : lines_) add_note(outcome, line);
  add_notes(outcome.uncovered_notes, other.uncovered_notes);
  add_pairs(outcome.order_pairs, other.order_pairs);
  std::vector<Confirmed> others = without(outcome.findings, std::move(other.findings));
  std::vector<Confirmed> unknown = without(outcome.unknown, std::move(other.unknown));
  if (!others.empty()) outcome.verdict = Verdict::Bug;
  else if (!unknown.empty() && (outcome.verdict == Verdict::Verified || outcome.verdict == Verdict::WithinBound)) outcome.verdict = Verdict::Unknown;
  qualify(outcome);
  return {std::move(outcome), stored, std::move(others), std::move(unknown)};
}

}  // namespace heddle
