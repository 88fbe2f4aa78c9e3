#include "explore/reduction/sampled_runs.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace heddle {
namespace {

// A probability with two digits that mean something. Never rounded up to certainty.
std::string percent(double p) {
  if (p == 0) return "0 %";
  if (p > 0.9999) return "99.99 %";
  return p >= 0.0995 ? fmt::format("{:.0f} %", std::floor(p * 100)) : fmt::format("{:.2g} %", p * 100);
}

std::string rare_bug_text(const SampledRuns& s) {
  return fmt::format("a bug that 1 in {:.0f} such runs shows would have been seen with probability {:.0f} %", std::floor(1 / excluded_rate(s)),
                     kConfidence * 100);
}

}  // namespace

// 1 - (1 - q)^runs, exact also where q is tiny.
double seen_probability(const SampledRuns& s) {
  if (s.depth == 0 || s.covering == 0 || s.threads == 0) return 0;
  const double steps = std::max(1.0, static_cast<double>(s.steps));
  const double q = 1 / (static_cast<double>(s.threads) * std::pow(steps, s.depth - 1));
  return q >= 1 ? 1 : -std::expm1(static_cast<double>(s.covering) * std::log1p(-q));
}

// The p with (1 - p)^runs = 1 - kConfidence.
double excluded_rate(const SampledRuns& s) {
  return s.runs == 0 ? 1 : -std::expm1(std::log1p(-kConfidence) / static_cast<double>(s.runs));
}

std::string likelihood_text(const SampledRuns& s) {
  if (s.runs == 0) return fmt::format("{}: no runs", s.sampler);
  if (s.depth == 0)
    return fmt::format("{}: {} runs, no guarantee by depth; {}", s.sampler, s.runs, rare_bug_text(s));
  return fmt::format("{}: {} runs; a bug of depth {} would have been seen with probability at least {} ({} threads, {} steps{}); {}", s.sampler,
                     s.runs, s.depth, percent(seen_probability(s)), s.threads, s.steps,
                     s.chose_data ? "; if it depends on no data choice" : "", rare_bug_text(s));
}

}  // namespace heddle
