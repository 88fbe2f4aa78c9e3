#include "explore/verdict.h"

#include <algorithm>
#include <fstream>
#include <string>

#include <fmt/format.h>

namespace heddle {
namespace {

// A search that stores states looks for accesses that can be made next to each other. Every race shows so, but for those that rest on
// synchronisation that orders less than what it tells.
bool misses_races(const Tally& tally, const Config& config) { return tally.states > 0 && tally.unordered && config.races != Races::Ignore; }

// Some way leads to an end, or threads go round for ever and were found to. Neither: what we call states are none.
bool has_seen_no_end(const Outcome& outcome, const Ending& ending, const Tally& tally) {
  return outcome.findings.empty() && ending.exhausted && !ending.failed && tally.revisits > 0 && tally.executions + tally.blocked == 0;
}

Verdict verdict_of(const Outcome& outcome, const Ending& ending, const Tally& tally, const Config& config) {
  if (ending.failed) return Verdict::Error;
  if (!outcome.findings.empty()) return Verdict::Bug;
  const bool cut_by_reduction = tally.hit_step_limit && !ending.covers_step_bound;
  if (!ending.exhausted || cut_by_reduction) return Verdict::Incomplete;
  const std::optional<PreemptionBound>& bound = outcome.preemptions;
  const bool bounded = bound && (bound->cut || !bound->grows);
  const bool may_miss_races = misses_races(tally, config);
  return bounded || may_miss_races || tally.hit_step_limit || tally.timeouts_spent || tally.ignored_race ? Verdict::WithinBound : Verdict::Verified;
}

bool says_nothing_is_wrong(Verdict verdict) { return verdict == Verdict::Verified || verdict == Verdict::WithinBound; }

// A verdict on interleavings says little where nothing was interleaved.
std::string why_vacuous(const Tally& tally) {
  if (tally.threads <= 1) return "only one thread ever ran";
  if (!tally.accessed) return "no instrumented code accessed memory";
  return tally.shared ? "" : "the threads share nothing";
}

}  // namespace

void add_note(Outcome& outcome, const std::string& text) {
  auto& notes = outcome.notes;
  if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(text);
}

void decide(Outcome& outcome, const Ending& ending, const Tally& tally, const Config& config) {
  outcome.verdict = verdict_of(outcome, ending, tally, config);
  outcome.bounded = outcome.verdict == Verdict::WithinBound;
  qualify(outcome);
  if (says_nothing_is_wrong(outcome.verdict)) outcome.vacuous = why_vacuous(tally);
  if (has_seen_no_end(outcome, ending, tally)) {
    outcome.verdict = Verdict::Error;
    outcome.error = {"every run ended in a state that was known, and none came to an end", "please report it; --algorithm=optimal stores no states", ExitCode::Internal};
  }
  outcome.unordered = tally.unordered;
  if (misses_races(tally, config))
    add_note(outcome, "data races that rest on relaxed atomics, failed tries, time-outs or compare-exchanges beside plain accesses may be missed where states are stored; --algorithm=optimal finds them");
  if (tally.hit_step_limit) {
    outcome.max_steps = config.max_steps;
    add_note(outcome, fmt::format("some runs were cut after {} steps (--max-steps){}", config.max_steps,
                                  ending.covers_step_bound ? "" : "; this search does not cover everything within such a bound"));
  }
  if (tally.timeouts_spent) {
    outcome.timeouts = ending.timeouts;
    add_note(outcome, fmt::format("executions in which a thread times out more than {} at one place were left out (--timeouts)",
                                  ending.timeouts == 1 ? "once" : fmt::format("{} times", ending.timeouts)));
  }
  if (tally.ignored_race)
    add_note(outcome, "data races were seen and ignored (--races=ignore); behaviour that depends on them is not covered");
}

// Not getrusage: its peak includes what the process was before it became heddle.
std::uint64_t peak_rss_kb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6));
  return 0;
}

}  // namespace heddle
