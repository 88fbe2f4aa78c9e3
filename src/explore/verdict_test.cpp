// What a search may say in the end.
#include "explore/verdict.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

Outcome decided(const Tally& tally) {
  Outcome outcome;
  decide(outcome, {.exhausted = true}, tally, Config{});
  return outcome;
}

TEST(Verdict, AllRunsEndedWell) {
  Tally tally;
  tally.executions = 3;
  tally.revisits = 5;
  EXPECT_EQ(decided(tally).verdict, Verdict::Verified);
}

TEST(Verdict, NothingIsVerifiedByStatesAlone) {
  Tally tally;
  tally.states = 90;
  tally.revisits = 1;
  const Outcome outcome = decided(tally);
  EXPECT_EQ(outcome.verdict, Verdict::Error);
  EXPECT_EQ(outcome.error.code, ExitCode::Internal);
}

}  // namespace
}  // namespace heddle
