// Thousands of small programs, each through every algorithm, against plain enumeration.
//
// The seeds are fixed. HEDDLE_GENERATED_SECONDS=N in the environment adds a batch of new programs that runs for N seconds; its first
// seed is printed, and HEDDLE_GENERATED_SEED=S starts it there.
#include <chrono>
#include <cstdlib>

#include <gtest/gtest.h>

#include "agreement.h"
#include "explore/reduction/optimal.h"
#include "explore/reduction/reference/enumeration.h"
#include "explore/reduction/source.h"
#include "generator.h"
#include "target/scripted/scripted_program.h"

namespace heddle::generated {
namespace {

constexpr std::uint64_t kInterleavings = 2000;  // more is too big

// False if the program is too big. A disagreement is shrunk and printed as a test.
bool agrees(std::uint64_t seed, scripted::Script (*make)(std::uint64_t) = generate) {
  const scripted::Script script = make(seed);
  const Agreement a = compare(script, kInterleavings);
  if (a.judgement != Judgement::Disagree) return a.judgement == Judgement::Agree;
  auto fails = [](const scripted::Script& s) { return compare_isolated(s, kInterleavings).judgement == Judgement::Disagree; };
  const scripted::Script small = shrink(script, fails);
  ADD_FAILURE() << "seed " << seed << "\n" << as_issue(small, compare_isolated(small, kInterleavings).text) << "\nunshrunk: " << a.text;
  return true;
}

void batch(std::uint64_t from, int programs, scripted::Script (*make)(std::uint64_t) = generate) {
  int compared = 0;
  for (std::uint64_t seed = from; compared < programs; ++seed) {
    ASSERT_LT(seed, from + 4 * static_cast<std::uint64_t>(programs)) << "most programs are too big";
    compared += agrees(seed, make);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Generated, Batch1) { batch(1, 1000); }
TEST(Generated, Batch2) { batch(1'000'000, 1000); }
TEST(Generated, Batch3) { batch(2'000'000, 1000); }

TEST(Generated, RunsThatFail) { batch(1, 1000, generate_failing); }

TEST(Generated, WaitsForSeveralLocations) { batch(1, 200, generate_waits); }

TEST(Generated, Exchanges1) { batch(1, 250, generate_exchanges); }
TEST(Generated, Exchanges2) { batch(1'000'000, 250, generate_exchanges); }

TEST(Generated, EndsAmongAlternatives) { batch(1, 1000, generate_ends); }

// Programs with too many interleavings to enumerate: `source` decides in its own way which races to reverse, and for each of them once. False: too big even so.
bool optimal_agrees_with_source(std::uint64_t seed, scripted::Script (*make)(std::uint64_t)) {
  constexpr std::uint64_t kMostRuns = 2'000;
  scripted::ScriptedProgram program(make(seed));
  Source source;
  const auto theirs = reference::search(program, source, kMostRuns);
  if (!theirs) return false;
  Optimal optimal;
  const auto ours = reference::search(program, optimal, kMostRuns);
  if (!ours) ADD_FAILURE() << "seed " << seed << ": more runs than source";
  else if (ours->blocked != 0 || ours->executions != ours->traces.size() || !ours->difference(*theirs).empty())
    ADD_FAILURE() << "seed " << seed << ": " << ours->executions << " runs, " << ours->traces.size() << " traces, source has " << theirs->traces.size();
  return true;
}

TEST(Generated, OptimalAgreesWithSource) {
  int compared = 0;
  for (std::uint64_t seed = 3'000'000; compared < 1'000 && !HasFailure(); ++seed) compared += optimal_agrees_with_source(seed, seed % 2 ? generate : generate_waits);
}

TEST(Generated, NewPrograms) {
  const char* seconds = std::getenv("HEDDLE_GENERATED_SECONDS");
  if (!seconds) GTEST_SKIP() << "HEDDLE_GENERATED_SECONDS is not set";
  const char* given = std::getenv("HEDDLE_GENERATED_SEED");
  const auto now = std::chrono::steady_clock::now();
  std::uint64_t seed = given ? std::strtoull(given, nullptr, 10)
                             : static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  std::printf("first seed: %llu\n", static_cast<unsigned long long>(seed));
  const auto end = now + std::chrono::seconds(std::atoi(seconds));
  scripted::Script (*const kinds[])(std::uint64_t) = {generate, generate, generate_ends, generate_failing};
  for (; std::chrono::steady_clock::now() < end && !testing::Test::HasFailure(); ++seed) {
    agrees(seed, kinds[seed % 4]);
    optimal_agrees_with_source(seed, seed % 2 ? generate : generate_waits);
  }
}

}  // namespace
}  // namespace heddle::generated
