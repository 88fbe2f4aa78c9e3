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

struct Kind {
  scripted::Script (*make)(std::uint64_t seed);
  bool cycles;
};
constexpr Kind kStraight = {generate, false}, kCyclic = {generate_cyclic, true}, kWide = {generate_wide, true}, kFailing = {generate_failing, false},
               kLocked = {generate_locked, false}, kExchanges = {generate_exchanges, false};

// False if the program is too big. A disagreement is shrunk and printed as a test.
bool agrees(std::uint64_t seed, const Kind& kind, std::uint64_t states = kStates) {
  const scripted::Script script = kind.make(seed);
  const Agreement a = compare_stateful(script, states, seed);
  if (a.judgement != Judgement::Disagree) return a.judgement == Judgement::Agree;
  auto compared = [&](const scripted::Script& s) { return compare_stateful_isolated(s, states, seed); };
  const scripted::Script small = shrink(script, [&](const scripted::Script& s) { return compared(s).judgement == Judgement::Disagree; }, kind.cycles);
  ADD_FAILURE() << "seed " << seed << "\n" << as_issue(small, compared(small).text, "expect_stateful_agreement") << compared(small).text << "\nunshrunk: " << a.text;
  return true;
}

void batch(std::uint64_t from, int programs, const Kind& kind) {
  int compared = 0;
  for (std::uint64_t seed = from; compared < programs; ++seed) {
    ASSERT_LT(seed, from + 6 * static_cast<std::uint64_t>(programs)) << "most programs are too big";
    compared += agrees(seed, kind);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(GeneratedStateful, WithoutCycles) { batch(1, 1000, kStraight); }
TEST(GeneratedStateful, WithCycles1) { batch(1'000'000, 1000, kCyclic); }
TEST(GeneratedStateful, WithCycles2) { batch(2'000'000, 1000, kCyclic); }

TEST(GeneratedStateful, Wide1) { batch(3'000'000, 1000, kWide); }
TEST(GeneratedStateful, Wide2) { batch(4'000'000, 1000, kWide); }

TEST(GeneratedStateful, RunsThatFail) { batch(5'000'000, 1000, kFailing); }

// What protection.h and Spor::who_must_move rely on.
TEST(GeneratedStateful, UnderLocks) { batch(6'000'000, 1000, kLocked); }

TEST(GeneratedStateful, NewPrograms) {
  const char* seconds = std::getenv("HEDDLE_GENERATED_SECONDS");
  if (!seconds) GTEST_SKIP() << "HEDDLE_GENERATED_SECONDS is not set";
  const char* given = std::getenv("HEDDLE_GENERATED_SEED");
  std::uint64_t seed = given ? std::strtoull(given, nullptr, 10)
                             : static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  std::printf("first seed: %llu\n", static_cast<unsigned long long>(seed));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(seconds));
  std::uint64_t compared = 0, programs = 0;
  for (; std::chrono::steady_clock::now() < end && !testing::Test::HasFailure(); ++seed, ++programs)
    compared += agrees(seed, seed % 8 == 0 ? kStraight : seed % 8 == 4 ? kFailing : seed % 8 == 2 ? kLocked : seed % 4 == 1 ? kCyclic : kWide, seed % 32 == 31 ? 4 * kStates : kStates);
  std::printf("%llu programs, %llu small enough\n", static_cast<unsigned long long>(programs), static_cast<unsigned long long>(compared));
}

}  // namespace
}  // namespace heddle::generated
