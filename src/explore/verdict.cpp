#include "explore/verdict.h"

#include <sys/resource.h>

#include <algorithm>

#include <fmt/format.h>

namespace heddle {
namespace {

Verdict verdict_of(const Outcome& outcome, const Ending& ending, const Tally& tally) {
  if (!outcome.findings.empty()) return Verdict::Bug;
  if (ending.failed) return Verdict::Error;
  const bool cut_by_reduction = tally.hit_step_limit && !ending.covers_step_bound;
  if (!ending.exhausted || cut_by_reduction) return Verdict::Incomplete;
  const std::optional<PreemptionBound>& bound = outcome.preemptions;
  const bool bounded = bound && (bound->cut || !bound->grows);
  return bounded || tally.hit_step_limit || tally.ignored_race ? Verdict::WithinBound : Verdict::Verified;
}

}  // namespace

void add_note(Outcome& outcome, const std::string& text) {
  auto& notes = outcome.notes;
  if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(text);
}

void decide(Outcome& outcome, const Ending& ending, const Tally& tally, const Config& config) {
  outcome.verdict = verdict_of(outcome, ending, tally);
  if (tally.hit_step_limit) {
    outcome.max_steps = config.max_steps;
    add_note(outcome, fmt::format("some runs were cut after {} steps (--max-steps){}", config.max_steps,
                                  ending.covers_step_bound ? "" : "; this search does not cover everything within such a bound"));
  }
  if (tally.ignored_race)
    add_note(outcome, "data races were seen and ignored (--races=ignore); behaviour that depends on them is not covered");
  if (outcome.verdict == Verdict::Bug && ending.failed) add_note(outcome, "the search ended early: " + outcome.error.what);
}

std::uint64_t peak_rss_kb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss);
}

}  // namespace heddle
