// What runs drawn at random say about the bugs that they did not show.
//
// Sources
//  - Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs, ASPLOS
//    2010: with n threads and k steps, one run of PCT shows a bug of depth d with probability at least 1 / (n k^(d-1)).
//  - Hanley, Lippman-Hand: If Nothing Goes Wrong, Is Everything All Right?, JAMA 249 (1983), the rule of three: something that has not
//    happened in N independent trials has, with 95 % confidence, a probability below about 3 / N.
//
// No such guarantee by depth exists for random walks and partial order sampling: for both there are bugs of depth 1 that a run shows with a
// probability exponentially small in its length. What holds for every sampler is the second statement. It is about the runs that the
// sampler draws, not about the schedules that exist.
#pragma once
#include <cstdint>
#include <string>

namespace heddle {

struct SampledRuns {
  std::string sampler;
  std::uint64_t runs = 0;
  std::uint64_t threads = 0;       // most in one of them
  std::uint64_t steps = 0;         // of the longest
  std::uint32_t depth = 0;         // that `covering` were made for; 0: the sampler knows no depth
  std::uint64_t covering = 0;      // runs whose priority changes were drawn from at least `steps` steps
  bool chose_data = false;         // an operation had alternatives: the bound is about orders only
};

inline constexpr double kConfidence = 0.95;

// The least probability that a bug of that depth had shown in one of the runs; 0 if nothing can be said.
double seen_probability(const SampledRuns& sampled);

// A bug that at least this share of the runs shows would have been seen, with probability kConfidence. 1 if there were no runs.
double excluded_rate(const SampledRuns& sampled);

// Both in a sentence.
std::string likelihood_text(const SampledRuns& sampled);

}  // namespace heddle
