// Samplers: reproducible, varied, and honest about what their runs are worth.
#include "explore/reduction/sampling.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "target/scripted/scripted_program.h"

namespace heddle {
namespace {

scripted::Script three_writers() {
  scripted::Script s;
  s.variables = {0};
  for (int t = 1; t <= 3; ++t) s.thread().store(0, t).store(0, 10 * t);
  return s;
}

std::unique_ptr<Reduction> make(const std::string& name, std::uint64_t seed) {
  if (name == "pct") return std::make_unique<PctSampling>(seed);
  if (name == "mixed") return mixed_sampling(seed, 4);
  return std::make_unique<Sampling>(name == "pos" ? wire::Policy::Pos : wire::Policy::Random, seed);
}

// The order of threads in each of so many runs, with up to `ahead` of them asked for before their results are known.
std::vector<std::string> orders(const std::string& name, std::uint64_t seed, int runs, std::size_t ahead = 1) {
  scripted::ScriptedProgram program(three_writers());
  const auto sampling = make(name, seed);
  std::vector<std::string> seen;
  std::vector<Request> asked;
  while (static_cast<int>(seen.size()) < runs) {
    while (asked.size() < (sampling->independent() ? ahead : 1)) asked.push_back(*sampling->next());
    const Trace trace = program.run(asked.front()).value();
    std::string order;
    for (const Event& e : trace.events) order += static_cast<char>('0' + e.thread);
    seen.push_back(order);
    sampling->learn(asked.front(), trace);
    asked.erase(asked.begin());
  }
  return seen;
}

class EverySampler : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Samplers, EverySampler, testing::Values("random", "pct", "pos", "mixed"));

TEST_P(EverySampler, ReachesManyOrders) {
  const auto seen = orders(GetParam(), 7, 2000);
  EXPECT_GE(std::set<std::string>(seen.begin(), seen.end()).size(), 30u);  // of 90
}

TEST_P(EverySampler, IsAFunctionOfItsSeed) {
  EXPECT_EQ(orders(GetParam(), 7, 300), orders(GetParam(), 7, 300));
  EXPECT_NE(orders(GetParam(), 7, 300), orders(GetParam(), 8, 300));
}

TEST_P(EverySampler, DoesNotDependOnWhatIsInFlight) {
  EXPECT_EQ(orders(GetParam(), 7, 300, 1), orders(GetParam(), 7, 300, 16));
}

TEST_P(EverySampler, NeverVerifies) { EXPECT_FALSE(make(GetParam(), 1)->exhaustive()); }

// --- what runs are worth ---------------------------------------------------------------------------------------------

TEST(SampledRuns, BoundOfPct) {
  SampledRuns s{.sampler = "pct", .runs = 100, .threads = 4, .steps = 10, .depth = 3, .covering = 100};
  EXPECT_NEAR(seen_probability(s), 1 - std::pow(1 - 1.0 / 400, 100), 1e-12);
  s.depth = 1;  // a right order of priorities is enough, however long the run
  EXPECT_NEAR(seen_probability(s), 1 - std::pow(0.75, 100), 1e-12);
  s = {.sampler = "pct", .runs = 1, .threads = 50, .steps = 100000, .depth = 4, .covering = 1};
  EXPECT_NEAR(seen_probability(s) / (1 / (50 * 1e15)), 1, 1e-9);  // not lost in rounding
  s.covering = 0;
  EXPECT_EQ(seen_probability(s), 0);
}

TEST(SampledRuns, RuleOfThree) {
  SampledRuns s{.sampler = "pos", .runs = 30000};
  EXPECT_NEAR(excluded_rate(s), 3.0 / 30000, 1e-6);
  EXPECT_EQ(seen_probability(s), 0);  // knows no depth
  s.runs = 0;
  EXPECT_EQ(excluded_rate(s), 1);
}

TEST(SampledRuns, TextNamesDepthAndProbability) {
  const SampledRuns s{.sampler = "pct", .runs = 400, .threads = 2, .steps = 20, .depth = 2, .covering = 400};
  EXPECT_NE(likelihood_text(s).find("depth 2"), std::string::npos);
  EXPECT_NE(likelihood_text(s).find("99.99 %"), std::string::npos);  // 0.99996: never said to be certain
  EXPECT_NE(likelihood_text(s).find("1 in 134 "), std::string::npos);
}

// Only runs whose changes could fall on every step count: the first had no horizon.
TEST(Sampling, PctCountsRunsThatItsBoundHoldsFor) {
  scripted::ScriptedProgram program(three_writers());
  PctSampling pct(1);
  for (int i = 0; i < 50; ++i) {
    const Request request = *pct.next();
    EXPECT_EQ(request.horizon, i == 0 ? 0u : 6u);
    EXPECT_EQ(request.depth, PctSampling::kDepth);
    pct.learn(request, program.run(request).value());
  }
  const SampledRuns s = pct.sampled().front();
  EXPECT_EQ(s.runs, 50u);
  EXPECT_EQ(s.covering, 49u);
  EXPECT_EQ(s.steps, 6u);
  Trace longer;
  longer.events.resize(7);
  pct.learn(*pct.next(), longer);
  EXPECT_EQ(pct.sampled().front().covering, 0u);
}

// The paper's bound, measured on orders that three orderings pin down: depth 3, in 6 steps of 3 threads. Of the 6 × 36 draws of priorities and
// changes, 3 lead to each of them: 1 0 2 with changes at steps 1 and 3; 2 1 0 with 0 and 1; 1 2 0 with both at step 1, if the two threads that
// are lowered there keep their order; otherwise it is 2.
TEST(Sampling, PctKeepsItsPromise) {
  constexpr int kRuns = 50'000;
  const auto seen = orders("pct", 3, kRuns);
  for (const char* order : {"100122", "011022", "122100", "200211"}) {
    const auto times = static_cast<double>(std::count(seen.begin(), seen.end(), order));
    const double expected = kRuns * 3.0 / 216;
    EXPECT_NEAR(times, expected, 4 * std::sqrt(expected)) << order;
    EXPECT_GE(times, kRuns / (3.0 * 6 * 6)) << order;
  }
}

}  // namespace
}  // namespace heddle
