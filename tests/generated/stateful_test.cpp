// Thousands of small programs, with and without cycles, each through every stateful search, against the enumeration of their states.
//
// HEDDLE_GENERATED_SECONDS and HEDDLE_GENERATED_SEED as in generated_test.cpp.
#include <chrono>
#include <cstdlib>

#include <gtest/gtest.h>

#include "generator.h"
#include "stateful_agreement.h"

namespace heddle::generated {
namespace {

constexpr std::uint64_t kStates = 200;  // more is too big

scripted::Script program(std::uint64_t seed, bool cycles) { return cycles ? generate_cyclic(seed) : generate(seed); }

// False if the program is too big. A disagreement is shrunk and printed as a test.
bool agrees(std::uint64_t seed, bool cycles) {
  const scripted::Script script = program(seed, cycles);
  const Agreement a = compare_stateful(script, kStates);
  if (a.judgement != Judgement::Disagree) return a.judgement == Judgement::Agree;
  auto fails = [](const scripted::Script& s) { return compare_stateful_isolated(s, kStates).judgement == Judgement::Disagree; };
  const scripted::Script small = shrink(script, fails, cycles);
  ADD_FAILURE() << "seed " << seed << "\n" << as_issue(small, compare_stateful_isolated(small, kStates).text, "expect_stateful_agreement")
                << compare_stateful_isolated(small, kStates).text << "\nunshrunk: " << a.text;
  return true;
}

void batch(std::uint64_t from, int programs, bool cycles) {
  int compared = 0;
  for (std::uint64_t seed = from; compared < programs; ++seed) {
    ASSERT_LT(seed, from + 6 * static_cast<std::uint64_t>(programs)) << "most programs are too big";
    compared += agrees(seed, cycles);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(GeneratedStateful, WithoutCycles) { batch(1, 1000, false); }
TEST(GeneratedStateful, WithCycles1) { batch(1'000'000, 1000, true); }
TEST(GeneratedStateful, WithCycles2) { batch(2'000'000, 1000, true); }

TEST(GeneratedStateful, NewPrograms) {
  const char* seconds = std::getenv("HEDDLE_GENERATED_SECONDS");
  if (!seconds) GTEST_SKIP() << "HEDDLE_GENERATED_SECONDS is not set";
  const char* given = std::getenv("HEDDLE_GENERATED_SEED");
  std::uint64_t seed = given ? std::strtoull(given, nullptr, 10)
                             : static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  std::printf("first seed: %llu\n", static_cast<unsigned long long>(seed));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(seconds));
  for (; std::chrono::steady_clock::now() < end && !testing::Test::HasFailure(); ++seed) agrees(seed, seed % 2 == 1);
}

}  // namespace
}  // namespace heddle::generated
