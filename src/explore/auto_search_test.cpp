// What `--algorithm auto` decides, by its table and in a whole search.
#include "explore/auto_search.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "explore/explorer.h"
#include "target/scripted/scripted_program.h"

namespace heddle {
namespace {

struct Estimated final : Reduction {
  double all = 0;
  std::string_view name() const override { return "estimated"; }
  std::optional<Request> next() override { return {}; }
  void learn(const Request&, const Trace&) override {}
  Progress progress() const override { return {all, 0, 0}; }
};

// Does it give up a search that would need `needed` times its limit, when `share` of that is spent?
bool gives_up(double share, double needed, std::uint64_t runs = 1000) {
  Config config;
  config.timeout_s = 100;
  AutoSearch auto_search(config);
  auto_search.begin({});
  Estimated search;
  search.all = static_cast<double>(runs) * needed / share;
  return auto_search.reconsider({100 * share, runs}, search) != nullptr;
}

TEST(AutoSearch, TheLaterTheLessDoubtIsLeft) {
  EXPECT_FALSE(gives_up(0.05, 1e9));
  EXPECT_TRUE(gives_up(0.11, 11));
  EXPECT_FALSE(gives_up(0.11, 9));
  EXPECT_TRUE(gives_up(0.26, 4.5));
  EXPECT_FALSE(gives_up(0.26, 3.5));
  EXPECT_TRUE(gives_up(0.51, 1.3));
  EXPECT_FALSE(gives_up(0.51, 1.2));
  EXPECT_TRUE(gives_up(0.81, 1.1));
  EXPECT_FALSE(gives_up(0.81, 0.95));
}

TEST(AutoSearch, FewRunsAreNoEstimate) {
  EXPECT_FALSE(gives_up(0.11, 1000, 10));
  EXPECT_TRUE(gives_up(0.51, 1000, 10));  // by now there is no better one to come
}

TEST(AutoSearch, TheLimitThatIsMetFirstDecides) {
  Config config;
  config.timeout_s = 1000;
  config.max_executions = 1000;
  AutoSearch auto_search(config);
  auto_search.begin({});
  Estimated search;
  search.all = 1e6;
  const auto other = auto_search.reconsider({1, 200}, search);
  ASSERT_NE(other, nullptr);
  EXPECT_FALSE(other->exhaustive());
  EXPECT_NE(auto_search.reason().find("--max-executions 1000"), std::string::npos);
  EXPECT_EQ(auto_search.reason().find('\n'), std::string::npos);
  EXPECT_FALSE(auto_search.begin({2, 300})->exhaustive()) << "it is not taken back when the search starts over";
}

TEST(AutoSearch, NoLimitIsEnough) {
  const Config config;
  AutoSearch auto_search(config);
  auto_search.begin({});
  Estimated search;
  search.all = 1e12;
  EXPECT_EQ(auto_search.reconsider({1e6, 1000000}, search), nullptr);
}

// What went into a search that had to be started over counts as spent, but says nothing about the new one.
TEST(AutoSearch, PaceIsThatOfTheCurrentSearch) {
  Config config;
  config.timeout_s = 100;
  AutoSearch auto_search(config);
  auto_search.begin({40, 10});
  Estimated search;
  search.all = 1000;
  EXPECT_EQ(auto_search.reconsider({51, 260}, search), nullptr);  // 40 s + 1000 × 11 s / 250 = 84 s
  search.all = 3000;                                              // 172 s
  EXPECT_NE(auto_search.reconsider({53, 261}, search), nullptr);
}

// --- whole searches --------------------------------------------------------------------------------------------------

Outcome explore(const scripted::Script& script, Config config) {
  scripted::ScriptedProgram program(script);
  Patience patience(config.timeout_s);
  ProgressMeter meter(stderr, ProgressMeter::Style::None);
  AutoSearch auto_search(config);
  return Explorer(config, program, auto_search, patience, meter).explore();
}

// So many threads that each write one variable: threads! traces.
scripted::Script writers(int threads) {
  scripted::Script s;
  s.variables = {0, 0};
  for (int t = 1; t <= threads; ++t) s.thread().atomic_store(0, t);
  return s;
}

// A bug that needs the last thread to go first: a depth-first search reverses that race last.
scripted::Script late_bug(int threads) {
  scripted::Script s;
  s.variables = {0, 0};
  s.thread().atomic_store(1, 1).atomic_store(0, 100);
  for (int t = 1; t <= threads; ++t) s.thread().atomic_store(0, t).atomic_store(0, 10 + t);
  s.thread().atomic_load(1, 0).check(0, scripted::Test::Equal, 1);
  return s;
}

TEST(AutoSearch, SmallEnoughIsVerified) {
  Config config;
  config.max_executions = 120;
  const Outcome outcome = explore(writers(5), config);
  EXPECT_EQ(outcome.verdict, Verdict::Verified);
  EXPECT_EQ(outcome.statistics.executions, 120u);
  EXPECT_EQ(outcome.algorithm, "optimal");
  EXPECT_TRUE(outcome.notes.empty());
  EXPECT_TRUE(outcome.sampling.empty());
}

TEST(AutoSearch, TooBigIsSampledAndNeverVerified) {
  Config config;
  config.max_executions = 2000;
  const Outcome outcome = explore(writers(8), config);
  EXPECT_EQ(outcome.verdict, Verdict::Incomplete);
  EXPECT_EQ(outcome.algorithm, "optimal+sampling");
  EXPECT_EQ(outcome.statistics.executions, 2000u);
  ASSERT_EQ(outcome.notes.size(), 1u);
  EXPECT_NE(outcome.notes[0].find("--max-executions 2000"), std::string::npos) << outcome.notes[0];
  ASSERT_EQ(outcome.sampling.size(), 4u);
  std::uint64_t sampled = 0;
  for (const SampledRuns& s : outcome.sampling) sampled += s.runs;
  EXPECT_GE(sampled, 1000u);
  EXPECT_LE(sampled, 1800u);
}

TEST(AutoSearch, FindsWhatTheExhaustiveSearchComesToLast) {
  Config config;
  config.max_executions = 3000;
  const Outcome outcome = explore(late_bug(4), config);  // 22,680 traces and more
  EXPECT_EQ(outcome.verdict, Verdict::Bug);
  EXPECT_EQ(outcome.algorithm, "optimal+sampling");
  EXPECT_EQ(outcome.findings.size(), 1u);

  config.max_executions = {};
  config.timeout_s = 600;  // enough
  EXPECT_EQ(explore(late_bug(4), config).algorithm, "optimal");
}

}  // namespace
}  // namespace heddle
