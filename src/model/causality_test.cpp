// Happens-before and reversible races, class by class, on traces written by hand. tests/generated compares thousands of runs with the slow way.
#include "model/causality.h"

#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "model/hand_made_trace_test.h"

namespace heddle {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

Pairs races_of(const Trace& trace, std::size_t new_from = 0) {
  Causality causality;
  causality.analyse(trace, new_from);
  Pairs pairs;
  for (const Race& r : causality.races()) pairs.emplace(r.first, r.second);
  return pairs;
}

// All pairs of events in happens-before order.
Pairs order_of(const Trace& trace) {
  Causality causality;
  causality.analyse(trace);
  Pairs pairs;
  for (std::uint32_t j = 0; j < trace.events.size(); ++j)
    for (std::uint32_t i = 0; i < j; ++i)
      if (causality.before(i, j)) pairs.emplace(i, j);
  return pairs;
}

// --- clocks ----------------------------------------------------------------------------------------------------------

TEST(Causality, ClocksCountEventsOfEachThreadInThePast) {
  HandMade run;
  run.write(0, 0).write(1, 1).read(1, 0).write(2, 2).read(0, 2);
  Causality causality;
  causality.analyse(run.trace);
  auto clock = [&](std::size_t i) { return std::vector<std::uint32_t>(causality.clock(i).begin(), causality.clock(i).end()); };
  EXPECT_EQ(clock(0), (std::vector<std::uint32_t>{1, 0, 0}));
  EXPECT_EQ(clock(2), (std::vector<std::uint32_t>{1, 2, 0}));
  EXPECT_EQ(clock(4), (std::vector<std::uint32_t>{2, 0, 1}));
  EXPECT_EQ(causality.position(2), 2u);
  EXPECT_EQ(order_of(run.trace), (Pairs{{0, 2}, {1, 2}, {0, 4}, {3, 4}}));
}

TEST(Causality, IsUsedForRunAfterRun) {
  HandMade first, second;
  first.lock(0, 0).unlock(0, 0).lock(1, 0);
  second.write(1, 0);
  Causality causality;
  causality.analyse(first.trace);
  EXPECT_EQ(causality.races().size(), 1u);
  causality.analyse(second.trace);
  EXPECT_TRUE(causality.races().empty());
  EXPECT_EQ(causality.size(), 1u);
}

TEST(Causality, OnlyNewEventsAreASecondHalf) {
  HandMade run;
  run.write(0, 0).write(1, 0).write(2, 0);
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 1}, {1, 2}}));
  EXPECT_EQ(races_of(run.trace, 2), (Pairs{{1, 2}}));
}

// --- memory ----------------------------------------------------------------------------------------------------------

TEST(Causality, ReadsDoNotRace) {
  HandMade run;
  run.read(0, 0).read(1, 0).write(2, 0).read(0, 0);
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 2}, {1, 2}, {2, 3}}));
}

// Reversing 0 and 2 is not possible directly: 1 is between them in the order.
TEST(Causality, OnlyImmediateRaces) {
  HandMade run;
  run.write(0, 0).write(1, 0).write(2, 0);
  EXPECT_FALSE(races_of(run.trace).contains({0, 2}));
}

TEST(Causality, OverlappingBytes) {
  HandMade run;
  run.add(0, Op::Write, variable(0), {.size = 8}).add(1, Op::Read, variable(0) + 6, {.size = 4}).add(2, Op::Read, variable(0) + 8, {.size = 4});
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 1}}));
}

// Somebody who waits for a change looked before it: the change cannot come after its end.
TEST(Causality, AwaitFollowsWhatEndedIt) {
  HandMade run;
  run.read(1, 0).add(0, Op::AtomicStore, variable(0), {.size = 4, .enabled = set_of({0})}).add(1, Op::Await, variable(0), {.size = 4});
  EXPECT_EQ(order_of(run.trace), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 1}}));
}

TEST(Causality, AwaitCouldHaveEndedBeforeALaterChange) {
  HandMade run;
  run.read(1, 0).add(0, Op::AtomicStore, variable(0), {.size = 4, .enabled = set_of({0})});
  run.write(0, 0).add(1, Op::Await, variable(0), {.size = 4});  // it was enabled before the second write
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 1}, {2, 3}}));
}

// Thread 1 reads two variables, which the others then write, and waits for either with a loop of `reads` reads.
HandMade waits_for_either(std::uint64_t reads, std::uint8_t second_changes) {
  HandMade run;
  run.read(1, 0).read(1, 1).add(0, Op::AtomicStore, variable(0), {.outcome = 1, .size = 4, .enabled = set_of({0, 2})});
  run.add(2, Op::AtomicStore, variable(1), {.outcome = second_changes, .size = 4}).add(1, Op::Await, 0, {.argument = reads});
  return run;
}

TEST(Causality, EitherChangeEndsAWaitForBoth) { EXPECT_EQ(races_of(waits_for_either(2, 1).trace), (Pairs{{0, 2}, {1, 3}, {2, 4}, {3, 4}})); }

TEST(Causality, AWriteThatLeavesTheValueEndsNoWait) { EXPECT_EQ(races_of(waits_for_either(2, 0).trace), (Pairs{{0, 2}, {1, 3}, {3, 4}})); }

TEST(Causality, WhatWasReadBeforeTheLoopEndsNoWait) { EXPECT_EQ(races_of(waits_for_either(1, 1).trace), (Pairs{{0, 2}, {1, 3}, {2, 4}})); }

// --- locks -----------------------------------------------------------------------------------------------------------

// Trap 2: the race of a lock is with the acquisition before, not with the unlock, although it is the unlock that it follows.
TEST(Causality, LockRacesWithTheAcquisitionBefore) {
  HandMade run;
  run.lock(0, 0).unlock(0, 0).lock(1, 0);
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 2}}));
  EXPECT_TRUE(order_of(run.trace).contains({1, 2}));
}

// Trap 1: so does the lock that a thread was left with.
TEST(Causality, BlockedLockRacesToo) {
  HandMade run;
  run.lock(0, 0).lock(1, 1).left_with(0, Op::MutexLock, object(1)).left_with(1, Op::MutexLock, object(0));
  EXPECT_EQ(races_of(run.trace), (Pairs{{1, 2}, {0, 3}}));
}

// 004 sec. 3.3.3: what two threads do under a common lock is not co-enabled. Only the locks race.
TEST(Causality, CommonLockLeavesOnlyTheRaceOfTheLock) {
  HandMade run;
  run.lock(0, 0).write(0, 0).unlock(0, 0).lock(1, 0).write(1, 0).unlock(1, 0);
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 3}}));
}

TEST(Causality, DifferentLocksProtectNothing) {
  HandMade run;
  run.lock(0, 0).write(0, 0).unlock(0, 0).lock(1, 1).write(1, 0).unlock(1, 1);
  EXPECT_EQ(races_of(run.trace), (Pairs{{1, 4}}));
}

// … and a nested lock under a common one neither: it was ordered by the outer one.
TEST(Causality, NestedLocksUnderACommonOne) {
  HandMade run;
  run.lock(0, 0).lock(0, 1).unlock(0, 1).unlock(0, 0).lock(1, 0).lock(1, 1).unlock(1, 1).unlock(1, 0);
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 4}}));
}

TEST(Causality, TrylockRacesWithWhateverDecidesIt) {
  HandMade run;
  run.lock(0, 0).add(1, Op::MutexTryLock, object(0), {.outcome = 0}).unlock(0, 0).add(2, Op::MutexTryLock, object(0), {.outcome = 1});
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(Causality, ReadLocksShareWriteLocksDoNot) {
  HandMade run;
  run.add(0, Op::RwReadLock, object(0)).add(1, Op::RwReadLock, object(0)).add(0, Op::RwUnlock, object(0)).add(1, Op::RwUnlock, object(0));
  EXPECT_TRUE(races_of(run.trace).empty());
  EXPECT_EQ(order_of(run.trace), (Pairs{{0, 2}, {1, 3}}));
  run.add(2, Op::RwWriteLock, object(0));
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 4}, {1, 4}}));
}

// Without the first reader the writer still waits for the second: both must not have been there.
TEST(Causality, ReversalTakesEverybodyOutOfTheWay) {
  HandMade run;
  run.add(0, Op::RwReadLock, object(0)).add(1, Op::RwReadLock, object(0)).left_with(2, Op::RwWriteLock, object(0));
  Causality causality;
  causality.analyse(run.trace);
  ASSERT_FALSE(causality.races().empty());
  for (const Race& race : causality.races()) EXPECT_EQ(causality.removed(race).size(), 2u);
}

// --- queues ----------------------------------------------------------------------------------------------------------

// lock, wait | lock, signal, unlock | resume: the resume needs its signal, and races with the other's lock for the mutex.
TEST(Causality, ResumeNeedsItsSignal) {
  HandMade run;
  run.lock(0, 0).add(0, Op::CondWait, object(9), {.argument = object(0)});
  run.lock(1, 0).add(1, Op::CondSignal, object(9), {.alternative = 0}).unlock(1, 0);
  run.add(0, Op::CondResume, object(9), {.argument = object(0)});
  EXPECT_TRUE(order_of(run.trace).contains({3, 5}));
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 2}}));
}

// One that may time out could have left before the signal.
TEST(Causality, TimedResumeRacesWithItsSignal) {
  HandMade run;
  run.lock(0, 0).add(0, Op::CondWait, object(9), {.argument = object(0)});
  run.add(1, Op::CondSignal, object(9), {.alternative = 0});
  run.add(0, Op::CondResume, object(9), {.size = wire::kMayTimeOut, .argument = object(0)});
  EXPECT_EQ(races_of(run.trace), (Pairs{{1, 2}, {2, 3}}));
}

TEST(Causality, WhomNobodyWakesOvertakesNobody) {
  HandMade run;
  run.lock(0, 0).add(0, Op::CondWait, object(9), {.argument = object(0)}).lock(1, 0).unlock(1, 0);
  run.left_with(0, Op::CondResume, object(9), 0, object(0));
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 2}}));
}

TEST(Causality, FutexWaitReadsItsWord) {
  HandMade run;
  run.add(0, Op::FutexWait, variable(0), {.outcome = 0, .size = 4}).write(1, 0);
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 1}}));
}

// --- semaphores, barriers, once, threads, choices --------------------------------------------------------------------

TEST(Causality, PostsCommute) {
  HandMade run;
  run.add(0, Op::SemPost, object(0), {.size = 0}).add(1, Op::SemPost, object(0), {.size = 1});
  EXPECT_TRUE(order_of(run.trace).empty());
}

TEST(Causality, WaitThatNeedsThePostIsNoRace) {
  HandMade run;
  run.add(0, Op::SemPost, object(0), {.size = 0, .enabled = set_of({0})}).add(1, Op::SemWait, object(0), {.outcome = 1, .size = 1});
  EXPECT_EQ(order_of(run.trace), (Pairs{{0, 1}}));
  EXPECT_TRUE(races_of(run.trace).empty());
}

TEST(Causality, WaitThatDidNotNeedThePostIs) {
  HandMade run;
  run.add(0, Op::SemPost, object(0), {.size = 1}).add(1, Op::SemWait, object(0), {.outcome = 1, .size = 2});
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 1}}));
}

TEST(Causality, BarrierOrdersArrivalsBeforeLeaving) {
  HandMade run;
  run.add(0, Op::BarrierWait, object(0)).add(1, Op::BarrierWait, object(0), {.outcome = 1, .enabled = set_of({1})});
  run.add(0, Op::BarrierResume, object(0));
  EXPECT_EQ(order_of(run.trace), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 1}}));
}

TEST(Causality, OnceRacesWithWhoRanIt) {
  HandMade run;
  run.add(0, Op::OnceBegin, object(0), {.outcome = 1}).add(0, Op::OnceEnd, object(0), {.outcome = 1}).add(1, Op::OnceBegin, object(0));
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 2}}));
}

TEST(Causality, CreationAndJoinOrder) {
  HandMade run;
  run.add(0, Op::ThreadCreate, thread_object(1)).write(1, 0).add(0, Op::ThreadJoin, thread_object(1)).read(0, 0);
  EXPECT_EQ(order_of(run.trace).size(), 6u);  // all of it
  EXPECT_TRUE(races_of(run.trace).empty());
}

TEST(Causality, TryJoinRacesWithTheThreadsLastEvent) {
  HandMade run;
  run.add(0, Op::ThreadCreate, thread_object(1)).write(1, 0).add(0, Op::ThreadTryJoin, thread_object(1), {.outcome = 1});
  EXPECT_EQ(races_of(run.trace), (Pairs{{1, 2}}));
}

TEST(Causality, AlternativesNotTakenAreRacesWithTheOneThatWas) {
  HandMade run;
  run.add(0, Op::Choose, 0, {.alternative = 1, .outcome = 1, .alternatives = set_of({0, 1, 2})});
  Causality causality;
  causality.analyse(run.trace);
  std::set<int> others;
  for (const Race& race : causality.races()) {
    EXPECT_TRUE(race.alternative);
    others.insert(race.choice.alternative);
  }
  EXPECT_EQ(others, (std::set<int>{0, 2}));
}

// --- the end of a run ------------------------------------------------------------------------------------------------

TEST(Causality, EventThatEndsTheRunDependsOnEverything) {
  HandMade run;
  run.write(0, 0).write(1, 1).add(2, Op::Exit, 0);
  EXPECT_EQ(order_of(run.trace), (Pairs{{0, 2}, {1, 2}}));
  EXPECT_EQ(races_of(run.trace), (Pairs{{0, 2}, {1, 2}}));
}

TEST(Causality, SoDoesAFailedAssertion) {
  HandMade run;
  run.write(0, 0).read(1, 1);
  EXPECT_TRUE(order_of(run.trace).empty());
  run.trace.end = wire::End::Stopped;
  EXPECT_EQ(order_of(run.trace), (Pairs{{0, 1}}));
}

TEST(Causality, KeptIsWhatTheReversalDoesNotTouch) {
  HandMade run;
  run.write(0, 0).write(0, 1).write(2, 5).read(1, 0);
  Causality causality;
  causality.analyse(run.trace);
  ASSERT_EQ(causality.races().size(), 1u);
  const Race& race = causality.races().front();
  EXPECT_EQ(race.first, 0u);
  EXPECT_FALSE(causality.kept(race, 1));  // after 0 in its thread
  EXPECT_TRUE(causality.kept(race, 2));
}

}  // namespace
}  // namespace heddle
