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
  tally.threads = 2;
  tally.accessed = tally.shared = true;
  EXPECT_EQ(decided(tally).verdict, Verdict::Verified);
  EXPECT_EQ(decided(tally).vacuous, "");
}

TEST(Verdict, IsVacuousWhereNothingWasInterleaved) {
  Tally tally;
  tally.executions = 1;
  tally.threads = 2;
  tally.accessed = true;
  EXPECT_EQ(decided(tally).verdict, Verdict::Verified);
  EXPECT_EQ(decided(tally).vacuous, "the threads share nothing");
  tally.accessed = false;
  EXPECT_EQ(decided(tally).vacuous, "no instrumented code accessed memory");
  tally.threads = 1;
  EXPECT_EQ(decided(tally).vacuous, "only one thread ever ran");
  Outcome incomplete;
  decide(incomplete, {.exhausted = false}, tally, Config{});
  EXPECT_EQ(incomplete.vacuous, "");
}

// Of threads that touch an object: who makes it shared?
TEST(Tally, SharedObjects) {
  auto event = [](std::uint8_t thread, Op op, Address object) {
    Event e;
    e.thread = thread;
    e.op = op;
    e.object = object;
    return e;
  };
  EXPECT_FALSE(shares_objects({event(0, Op::MutexLock, 1), event(1, Op::MutexLock, 2), event(0, Op::ThreadJoin, 1)}));
  EXPECT_FALSE(shares_objects({event(0, Op::AtomicLoad, 1), event(1, Op::AtomicLoad, 1), event(1, Op::AtomicStore, 2)}));
  EXPECT_FALSE(shares_objects({event(0, Op::ThreadCreate, 1), event(1, Op::Choose, 1), event(1, Op::Exit, 1)}));
  EXPECT_TRUE(shares_objects({event(0, Op::MutexLock, 1), event(0, Op::MutexUnlock, 1), event(1, Op::MutexLock, 1)}));
  EXPECT_TRUE(shares_objects({event(0, Op::AtomicLoad, 1), event(1, Op::AtomicStore, 1)}));
  EXPECT_TRUE(shares_objects({event(0, Op::AtomicStore, 1), event(0, Op::AtomicLoad, 1), event(1, Op::AtomicLoad, 1)}));
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
