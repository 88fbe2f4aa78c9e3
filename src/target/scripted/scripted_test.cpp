// What scripted operations mean: each kind, done in a fixed order and looked at in the trace.
#include "target/scripted/scripted_program.h"

#include <gtest/gtest.h>

namespace heddle::scripted {
namespace {

// Runs the threads in the order given, a digit a step; what remains goes on by itself.
Trace run(const Script& script, const std::string& order, std::vector<std::uint8_t> alternatives = {}) {
  Request request;
  for (char c : order) request.prefix.push_back({static_cast<std::uint8_t>(c - '0'), wire::kAnyAlternative});
  for (std::size_t i = 0; i < alternatives.size(); ++i) request.prefix[i].alternative = alternatives[i];
  return ScriptedProgram(script).run(request).value();
}

// Variables and registers at the end; a thread's registers follow a bar.
std::string end_of(const Script& script, const std::string& order) { return run(script, order).final_state; }

bool enabled_at(const Trace& trace, std::size_t step, int thread) { return trace.events.at(step).enabled.has(thread); }

bool left_blocked(const Trace& trace, int thread) {
  for (const Pending& p : trace.pending)
    if (p.thread == thread) return !p.enabled;
  return false;
}

TEST(Scripted, LocalInstructionsBelongToTheOperationBefore) {
  Script s;
  s.variables = {5};
  s.thread().load(0, 0).add_to(0, 3).multiply(0, 2).modulo(0, 10).store_from(0, 0, 1);
  const Trace trace = run(s, "");
  EXPECT_EQ(trace.events.size(), 2u);
  EXPECT_EQ(trace.final_state, "7 |6 0 0 0 ");
}

TEST(Scripted, Jumps) {
  Script s;
  s.variables = {0};
  s.thread().set(1, 3).atomic_add(0, 2, 0).add_to(1, -1).jump_if(1, scripted::Test::NotEqual, 0, 1).store_from(0, 0);
  EXPECT_EQ(end_of(s, ""), "4 |4 0 0 0 ");
}

TEST(Scripted, IndexedObjects) {
  Script s;
  s.variables = {0, 0, 0};
  s.thread().set(0, 2).store(0, 9).indexed(0);
  EXPECT_EQ(end_of(s, ""), "0 0 9 |2 0 0 0 ");
}

TEST(Scripted, CompareExchange) {
  Script s;
  s.variables = {0};
  s.thread().cas(0, 0, 7, 0).cas(0, 0, 8, 1);
  const Trace trace = run(s, "");
  EXPECT_EQ(trace.final_state, "7 |1 0 0 0 ");
  EXPECT_EQ(trace.events[0].outcome, 1);
  EXPECT_EQ(trace.events[1].outcome, 0);
}

TEST(Scripted, MutexBlocksAndTrylockDoesNot) {
  Script s;
  s.mutexes = 1;
  s.thread().lock(0).unlock(0);
  s.thread().lock(0).unlock(0);
  s.thread().try_lock(0, 0).try_lock(0, 1);
  const Trace trace = run(s, "0202");
  EXPECT_FALSE(enabled_at(trace, 1, 1));
  EXPECT_EQ(trace.events[1].outcome, 0);
  EXPECT_EQ(trace.events[3].outcome, 1);
  EXPECT_EQ(trace.end, wire::End::Deadlock);  // thread 2 ended with it
}

TEST(Scripted, TimedLockTakesOrGivesUp) {
  Script s;
  s.mutexes = 1;
  s.thread().timed_lock(0, 0).unlock(0);
  s.thread().timed_lock(0, 0);
  const Trace trace = run(s, "010");
  EXPECT_EQ(trace.events[0].alternative, 0);
  EXPECT_EQ(trace.events[1].alternative, 1);
  EXPECT_EQ(trace.final_state, "|1 0 0 0 |0 0 0 0 ");
}

TEST(Scripted, MisuseOfAMutexEndsTheRun) {
  Script relock, unlock;
  relock.mutexes = unlock.mutexes = 1;
  relock.thread().lock(0).lock(0);
  unlock.thread().unlock(0);
  for (const Script& s : {relock, unlock}) {
    const Trace trace = run(s, "");
    EXPECT_EQ(trace.end, wire::End::Stopped);
    ASSERT_EQ(trace.reports.size(), 1u);
    EXPECT_EQ(trace.reports[0].kind, wire::ReportKind::LockMisuse);
  }
}

TEST(Scripted, Rwlock) {
  Script s;
  s.rwlocks = 1;
  s.thread().read_lock(0).rw_unlock(0);
  s.thread().read_lock(0).rw_unlock(0);
  s.thread().write_lock(0).rw_unlock(0);
  s.thread().try_read_lock(0, 0).try_write_lock(0, 1);
  const Trace trace = run(s, "0101232");
  EXPECT_TRUE(enabled_at(trace, 1, 1));   // readers share
  EXPECT_FALSE(enabled_at(trace, 1, 2));  // a writer waits for all of them
  EXPECT_TRUE(enabled_at(trace, 4, 2));
  EXPECT_EQ(trace.events[5].outcome, 0);  // nobody reads beside a writer
  EXPECT_EQ(trace.events[7].outcome, 1);
}

TEST(Scripted, SignalWakesOneOfThoseWhoWait) {
  Script s;
  s.mutexes = s.conditions = 1;
  s.thread().lock(0).wait(0, 0).unlock(0);
  s.thread().lock(0).wait(0, 0).unlock(0);
  s.thread().signal(0).signal(0);
  const Trace trace = run(s, "0011200", {0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(trace.events[4].alternatives.count(), 2);  // either
  EXPECT_FALSE(enabled_at(trace, 4, 0));
  EXPECT_TRUE(enabled_at(trace, 5, 0));
  EXPECT_FALSE(enabled_at(trace, 5, 1));
  EXPECT_EQ(trace.events[5].op, Op::CondResume);
}

TEST(Scripted, SignalToNobodyIsLost) {
  Script s;
  s.mutexes = s.conditions = 1;
  s.thread().lock(0).wait(0, 0).unlock(0);
  s.thread().signal(0).broadcast(0);
  const Trace trace = run(s, "11");
  EXPECT_EQ(trace.events[0].alternative, wire::kNobody);
  EXPECT_EQ(trace.end, wire::End::Deadlock);
  EXPECT_TRUE(left_blocked(trace, 0));
}

TEST(Scripted, BroadcastWakesEverybodyAndTheMutexIsTakenInTurn) {
  Script s;
  s.mutexes = s.conditions = 1;
  for (int t = 0; t < 2; ++t) s.thread().lock(0).wait(0, 0).unlock(0);
  s.thread().broadcast(0);
  const Trace trace = run(s, "001120");
  EXPECT_TRUE(enabled_at(trace, 5, 1));
  EXPECT_FALSE(enabled_at(trace, 6, 1));
  EXPECT_EQ(trace.end, wire::End::Completed);
}

TEST(Scripted, TimedWaitMayTimeOutUnlessItWasWoken) {
  Script s;
  s.mutexes = s.conditions = 1;
  s.thread().lock(0).timed_wait(0, 0, 0).unlock(0);
  s.thread().signal(0);
  const Trace early = run(s, "000");
  EXPECT_EQ(early.events[2].alternative, 1);
  const Trace woken = run(s, "0010");
  EXPECT_EQ(woken.events[3].alternative, 0);
  EXPECT_EQ(woken.events[3].alternatives.count(), 1);
}

TEST(Scripted, SpuriousWakeUpsOnRequest) {
  Script s;
  s.mutexes = s.conditions = 1;
  s.thread().lock(0).wait(0, 0, 0).unlock(0);
  EXPECT_EQ(run(s, "00").end, wire::End::Deadlock);
  s.spurious_wakeups = true;
  EXPECT_EQ(run(s, "00").final_state, "|2 0 0 0 ");
}

TEST(Scripted, Semaphore) {
  Script s;
  s.semaphores = {1};
  s.thread().sem_wait(0).sem_post(0);
  s.thread().sem_wait(0).sem_value(0, 0);
  s.thread().sem_try_wait(0, 0).sem_timed_wait(0, 1);
  const Trace trace = run(s, "0220112");
  EXPECT_FALSE(enabled_at(trace, 1, 1));
  EXPECT_EQ(trace.events[0].size, 1u);  // units before it
  EXPECT_EQ(trace.events[1].outcome, 0);
  EXPECT_EQ(trace.events[2].alternative, 1);
  EXPECT_EQ(trace.final_state, "s0 |0 0 0 0 |0 0 0 0 |0 0 0 0 ");
}

TEST(Scripted, BarrierLetsEverybodyGoOnceAllAreThere) {
  Script s;
  s.barriers = {2};
  s.thread().barrier_wait(0, 0);
  s.thread().barrier_wait(0, 0);
  const Trace trace = run(s, "01");
  EXPECT_FALSE(enabled_at(trace, 1, 0));
  EXPECT_EQ(trace.events[2].op, Op::BarrierResume);
  EXPECT_EQ(trace.final_state, "|0 0 0 0 |1 0 0 0 ");  // the last one is told
}

TEST(Scripted, OnceIsRunByOneAndTheOthersWait) {
  Script s;
  s.onces = 1;
  for (int t = 0; t < 2; ++t) s.thread().once_begin(0, 0).jump_if(0, scripted::Test::Equal, 0, 3).once_end(0);
  const Trace trace = run(s, "0");
  EXPECT_FALSE(enabled_at(trace, 1, 1));
  EXPECT_EQ(trace.final_state, "|1 0 0 0 |0 0 0 0 ");
}

TEST(Scripted, FutexComparesQueuesAndIsWoken) {
  Script s;
  s.variables = {0};
  s.thread().futex_wait(0, 0, 0);
  s.thread().futex_wait(0, 1, 0);
  s.thread().futex_wake(0, 1);
  const Trace trace = run(s, "012");
  EXPECT_EQ(trace.events[0].outcome, 1);
  EXPECT_EQ(trace.events[1].outcome, 0);  // another value
  EXPECT_EQ(trace.events[3].op, Op::FutexResume);
  EXPECT_EQ(trace.final_state, "0 |0 0 0 0 |-1 0 0 0 |0 0 0 0 ");
}

TEST(Scripted, CreateJoinAndTryJoin) {
  Script s;
  s.variables = {0};
  s.thread().try_join(1, 0).create(1).try_join(1, 1).join(1).try_join(1, 2);
  s.thread().store(0, 1);
  const Trace trace = run(s, "000");
  EXPECT_FALSE(enabled_at(trace, 0, 1));
  EXPECT_TRUE(enabled_at(trace, 2, 1));
  EXPECT_EQ(trace.final_state, "1 |0 0 1 0 |0 0 0 0 ");
  EXPECT_EQ(trace.threads, 2u);
}

TEST(Scripted, AwaitIsOverWhenTheValueHasChanged) {
  Script s;
  s.variables = {0};
  s.thread().await(0, 2, 0);
  s.thread().atomic_store(0, 0).atomic_store(0, 2);
  const Trace trace = run(s, "0111000");
  EXPECT_EQ(trace.end, wire::End::Diverged);  // there is no third step of thread 1
  EXPECT_FALSE(enabled_at(trace, 1, 0));
  EXPECT_FALSE(enabled_at(trace, 2, 0));  // the same value is no change
  EXPECT_EQ(run(s, "01100").final_state, "2 |2 0 0 0 |0 0 0 0 ");
}

TEST(Scripted, AwaitForEverIsADeadlock) {
  Script s;
  s.variables = {0};
  s.thread().await(0, 1, 0);
  const Trace trace = run(s, "");
  EXPECT_EQ(trace.end, wire::End::Deadlock);
  ASSERT_EQ(trace.pending.size(), 1u);
  EXPECT_EQ(trace.pending[0].op, Op::Await);
}

TEST(Scripted, Choices) {
  Script s;
  s.thread().choose(3, 0);
  const Trace trace = run(s, "0", {2});
  EXPECT_EQ(trace.events[0].alternatives.count(), 3);
  EXPECT_EQ(trace.final_state, "|2 0 0 0 ");
}

TEST(Scripted, ExitEndsEverything) {
  Script s;
  s.variables = {0};
  s.thread().exit();
  s.thread().store(0, 1);
  const Trace trace = run(s, "0");
  EXPECT_EQ(trace.end, wire::End::Completed);
  EXPECT_EQ(trace.events.size(), 1u);
  EXPECT_FALSE(left_blocked(trace, 1));
}

TEST(Scripted, FailedAssertion) {
  Script s;
  s.variables = {3};
  s.thread().load(0, 0).check(0, scripted::Test::Less, 3, 17).store(0, 9);
  const Trace trace = run(s, "");
  EXPECT_EQ(trace.end, wire::End::Stopped);
  ASSERT_EQ(trace.reports.size(), 1u);
  EXPECT_EQ(trace.reports[0].kind, wire::ReportKind::Assertion);
  EXPECT_STREQ(trace.reports[0].text, "assertion 17");
  EXPECT_EQ(trace.events.size(), 1u);
}

TEST(Scripted, DeadlockSaysWhoHoldsWhat) {
  Script s;
  s.mutexes = 2;
  s.thread().lock(0).lock(1);
  s.thread().lock(1).lock(0);
  const Trace trace = run(s, "01");
  EXPECT_EQ(trace.end, wire::End::Deadlock);
  ASSERT_EQ(trace.pending.size(), 2u);
  EXPECT_EQ(trace.pending[0].holder, 1);
  EXPECT_EQ(trace.pending[1].holder, 0);
}

TEST(Scripted, RacesArePlainAccessesThatNothingOrders) {
  auto races = [](const Script& s, const std::string& order) {
    int n = 0;
    for (const wire::Report& r : run(s, order).reports) n += r.kind == wire::ReportKind::DataRace;
    return n;
  };
  Script plain, atomic, locked;
  plain.variables = atomic.variables = locked.variables = {0};
  locked.mutexes = 1;
  for (int t = 0; t < 2; ++t) {
    plain.thread().store(0, t);
    atomic.thread().atomic_store(0, t);
    locked.thread().lock(0).store(0, t).unlock(0);
  }
  EXPECT_EQ(races(plain, "01"), 1);
  EXPECT_EQ(races(atomic, "01"), 0);
  EXPECT_EQ(races(locked, "000111"), 0);
}

TEST(Scripted, PrefixThatAsksForTheImpossible) {
  Script s;
  s.mutexes = 1;
  s.thread().lock(0).unlock(0);
  s.thread().lock(0).unlock(0);
  const Trace trace = run(s, "01");
  EXPECT_EQ(trace.end, wire::End::Diverged);
  EXPECT_EQ(trace.events.size(), 1u);
}

TEST(Scripted, StepLimit) {
  Script s;
  s.variables = {0};
  s.thread().store(0, 1).jump(0);
  Request request;
  request.max_steps = 7;
  const Trace trace = ScriptedProgram(s).run(request).value();
  EXPECT_EQ(trace.end, wire::End::StepLimit);
  EXPECT_EQ(trace.events.size(), 7u);
}

TEST(Scripted, WhatSleepsIsNotChosen) {
  Script s;
  s.variables = {0, 0};
  s.thread().store(0, 1);
  s.thread().store(1, 1);
  Request request;
  wire::SleepEntry sleeper;
  sleeper.thread = 0;
  sleeper.alternatives.add(0);
  request.sleep = {sleeper};
  const Trace trace = ScriptedProgram(s).run(request).value();
  EXPECT_EQ(trace.end, wire::End::SleepBlocked);
  EXPECT_EQ(trace.events.size(), 1u);
  EXPECT_EQ(trace.events[0].thread, 1);
}

TEST(Script, IsPrintedAsWhatBuildsIt) {
  Script s;
  s.variables = {1, 2};
  s.mutexes = 1;
  s.thread().lock(0).store(1, 5).unlock(0);
  const std::string text = as_cpp(s);
  for (const char* part : {"lock(0)", "store(1, 5)", "unlock(0)", "{1, 2}"}) EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace
}  // namespace heddle::scripted
