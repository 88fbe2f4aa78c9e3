// Mistakes that stateful searches are prone to (docs/papers.md, traps), and programs on which ours once disagreed with the enumeration of states.
#include "expect_agreement.h"

namespace heddle::generated {
namespace {

using namespace scripted;

// 001's UpdateCurr tells the last conflicting step. Here that is the second attempt, at which the writer is blocked by the first: only before the
// first can it go ahead. Seen to fail when de-spor told the last one only.
TEST(Trap, LastConflictMayBeImpossibleToReverse) {
  Script s;
  s.rwlocks = 1;
  s.thread().write_lock(0);
  s.thread().try_read_lock(0, 1).try_write_lock(0, 0).rw_unlock(0);
  expect_stateful_agreement(s);
}

// Trap 6: the run in which thread 1 fails leaves thread 0 blocked; its operation counts as occurring, or thread 1 alone is taken to be
// persistent. Seen to fail when the operations left over by a failed run were not told.
TEST(Trap, BlockedThreadsOfAFailedRunCount) {
  Script s;
  s.mutexes = 1;
  s.thread().lock(0);
  s.thread().lock(0).lock(0);
  expect_stateful_agreement(s);
}

// The run ends with the operation that gives the lock back, so that thread 1 never had a chance. sdpor and o-dpor missed the runs in which it comes first.
TEST(Issue, StatefulLockGivenBackByWhatEndsTheRun) {
  Script s;
  s.rwlocks = 1;
  s.thread().read_lock(0).rw_unlock(0).check(0, scripted::Test::Equal, 2, 67);
  s.thread().write_lock(0);
  expect_stateful_agreement(s);
}

// The run ends with the creation of a thread that would race. Before that there is no such thread, though all searches asked for its access to show the race.
TEST(Issue, ThreadCreatedByWhatEndsTheRun) {
  Script s;
  s.variables = {0, 0};
  s.thread().create(1).check(0, scripted::Test::Equal, 99, 55);
  s.thread().load(1, 1);
  s.thread().atomic_store(1, 1);
  expect_stateful_agreement(s);
}

// The first of two racing accesses ends the run: the race shows in the other order. Seen to fail when only one order was tried.
TEST(Issue, RacingAccessThatEndsTheRun) {
  Script s;
  s.variables = {0};
  s.thread().atomic_load(0, 1).check(1, scripted::Test::NotEqual, 0, 40);
  s.thread().store_from(0, 0, 0).jump(0);
  expect_stateful_agreement(s);
}

// The store is thread 0's own and comes first for that reason; thread 1 could have left before. Seen to fail when an exit counted as early only
// where others were still alive.
TEST(Issue, ExitThatDoesNotWait) {
  Script s;
  s.variables = {0};
  s.mutexes = 1;
  s.thread().store(0, 1);
  s.thread().lock(0).exit();
  expect_stateful_agreement(s);
}

// Thread 0 leaves when it has waited for the others, and earlier if it sees thread 1's store: an exit that comes after everything, and one that may come before
// what thread 2 does. Seen to fail when no exit counted as a conflict.
TEST(Issue, ExitsThatWaitAndDoNot) {
  Script s;
  s.variables = {0, 0};
  s.thread().create(1).create(2).atomic_load(0, 0).jump_if(0, scripted::Test::Equal, 1, 6).join(1).join(2).exit();
  s.thread().atomic_store(0, 1).atomic_store(1, 1);
  s.thread().atomic_load(1, 1).check(1, scripted::Test::Equal, 0, 5).atomic_load(0, 1);
  expect_stateful_agreement(s);
}

// Thread 0 leaves from the same place and with the same memory whether it has waited for thread 1 or not. Seen to fail when whom it has waited for was not part
// of a state: the run that did not wait came to a state that was known from one that did.
TEST(Issue, ExitAfterWaitingOrNot) {
  Script s;
  s.variables = {0, 0};
  s.thread().atomic_load(0, 0).jump_if(0, scripted::Test::Equal, 1, 3).join(1).set(0, 0).exit();
  s.thread().atomic_store(0, 1).atomic_store(1, 1);
  expect_stateful_agreement(s);
  Script t;
  t.variables = {0, 0, 0};
  t.thread().atomic_load(0, 0).jump_if(0, scripted::Test::Equal, 1, 3).join(1).set(0, 0).atomic_load(2, 0).exit();
  t.thread().atomic_store(0, 1).atomic_store(1, 1);
  expect_stateful_agreement(t);
}

// Trap 3: from s, thread 1's load is cut at a state that was reached by thread 0's store first; what follows there conflicts with steps of the
// new path that the old one did not have.
TEST(Trap, KnownStatesTellThePath) {
  Script s;
  s.variables = {0, 0, 0};
  s.thread().atomic_store(0, 1).atomic_store(1, 0);
  s.thread().atomic_load(0, 0).set(0, 0).atomic_store(2, 0);
  s.thread().atomic_store(2, 0).atomic_load(1, 1).set(1, 0).atomic_store(0, 1);
  expect_stateful_agreement(s);
}

// Trap 3 again: thread 1's load leads to a state that is known from the run in which it came last. Seen to fail when de-spor told its path nothing at known
// states; o-dpor and sdpor without it fail in GeneratedStateful.WithCycles1.
TEST(Trap, KnownStatesTellWhatIsBehindThem) {
  Script s;
  s.variables = {0};
  s.thread().atomic_load(0, 1).atomic_store(0, 2);
  s.thread().atomic_load(0, 1);
  expect_stateful_agreement(s);
}

// Trap 3 once more, for what is told. Thread 1 looks at x before thread 2 does, and comes to the state that is known from a run in which it did not look. Behind it
// thread 3 writes x, for which it needs thread 2: only before thread 1's look can thread 2 go ahead, and that is not the last step in conflict
// with the write. Seen to fail when sdpor, o-dpor or de-spor told the last one only, and when they told nothing.
TEST(Trap, KnownStatesTellAllConflictingSteps) {
  Script s;
  s.variables = {0, 0};
  s.semaphores = {0, 0};
  s.thread().atomic_store(0, 1);
  s.thread().atomic_load(0, 0).jump_if(0, scripted::Test::Equal, 1, 5).atomic_load(1, 1).check(1, scripted::Test::NotEqual, 1, 7).set(1, 0).sem_wait(0).set(0, 0);
  s.thread().atomic_load(1, 0).sem_post(0).sem_post(1);
  s.thread().sem_wait(1).atomic_store(1, 1);
  expect_stateful_agreement(s);
}

// Trap 4: a state that was explored while a thread slept is reached with that thread awake. That thread's next step has been explored elsewhere, but what
// may follow on it from here is not stored behind the state, and the new path is not told of it. Seen to fail when o-dpor ended at such states.
TEST(Trap, StatesKnownWithSomethingAsleep) {
  Script s;
  s.variables = {0, 0, 0, 0};
  s.thread().atomic_load(2, 0).jump_if(0, scripted::Test::NotEqual, 1, 3).atomic_store(1, 1).atomic_store(0, 2);
  s.thread().atomic_store(2, 1).atomic_store(3, 2).atomic_store(3, 2).atomic_store(2, 0);
  s.thread().atomic_load(1, 0).atomic_load(0, 1);
  expect_stateful_agreement(s);
}

// A run may take a step that sleeps. That the reversal of a race could begin with it does not mean that the reversal has been explored: without the
// sleeper it has not. Seen to fail when o-dpor took it for a first step.
TEST(Trap, WhatSleepsIsNoFirstStep) {
  Script s;
  s.variables = {0, 0, 0, 0};
  s.thread().atomic_load(2, 0).jump_if(0, scripted::Test::NotEqual, 1, 3).atomic_store(3, 1).atomic_load(0, 1);
  s.thread().atomic_load(0, 1).atomic_store(2, 1);
  s.thread().atomic_load(3, 1);
  expect_stateful_agreement(s, 2);
}

// Trap 5: thread 0 goes round for ever by itself; thread 1 must not be put off for ever. Seen to fail when states on a cycle are not taken whole.
TEST(Trap, NobodyIsPutOffForEver) {
  Script s;
  s.variables = {0, 0};
  s.thread().atomic_load(0, 0).jump(0);
  s.thread().atomic_load(1, 0).check(0, scripted::Test::Equal, 1, 7);
  expect_stateful_agreement(s);
}

// A step that ends the run depends on everything: thread 0 fails when it creates thread 1 again, thread 1 could have left before. Seen to fail, for sdpor, dl-spor and o-dpor, when
// a state in which such a step was taken was not taken whole.
TEST(Trap, WhatEndsTheRunConflictsWithEverything) {
  Script s;
  s.variables = {0, 0};
  s.thread().create(1).jump_if(3, scripted::Test::Less, 2, 0);
  s.thread().exit();
  s.thread();
  expect_stateful_agreement(s);
}

// Threads that go round on their way are not yet a livelock: here a choice leads out, which --livelocks=certain accepts. Seen to fail when every run that came back
// to a state of its own was one.
TEST(Livelock, ARoundThatAChoiceLeavesIsNotCertain) {
  Script s;
  s.variables = {0, 0};
  s.thread().choose(2, 1).jump_if(1, scripted::Test::Equal, 0, 3).jump(0);
  s.thread().load(1, 1);
  s.thread().load(0, 1);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) expect_stateful_agreement(s, seed);
}

// A thread that spins while another one could let it go is no livelock; two that keep each other going are.
TEST(Livelock, ASpinThatAnotherThreadEndsIsNone) {
  Script s;
  s.variables = {0};
  s.thread().atomic_load(0, 0).jump_if(0, scripted::Test::Equal, 0, 0);
  s.thread().atomic_store(0, 1);
  expect_stateful_agreement(s);
}

TEST(Livelock, TwoThatGiveWayToEachOther) {
  Script s;
  s.mutexes = 2;
  for (int t = 0; t < 2; ++t)
    s.thread().lock(t).try_lock(1 - t, 0).jump_if(0, scripted::Test::Equal, 1, 5).unlock(t).jump(0).unlock(1 - t).unlock(t);
  expect_stateful_agreement(s);
}

// Thread 1 goes round until thread 0's failure ends the run. That last step is not part of the round; seen to fail when it counted as one, so that thread 0 seemed to move in it,
// while scripted runs with a full table still went on past states of their own. Detect.ALapIsWhatTheNumberOfStepsEnds fails for the same mistake by itself.
TEST(Livelock, WhatEndsTheRunIsNoPartOfARound) {
  Script s;
  s.variables = {0, 0};
  s.semaphores = {0};
  s.thread().atomic_load(1, 1).atomic_load(0, 0).load(1, 1).check(1, scripted::Test::Equal, 1, 96);
  s.thread().sem_value(0, 1).atomic_load(0, 1).sem_timed_wait(0, 1).jump(1);
  expect_stateful_agreement(s);
}

// Whether a compare-exchange writes changes with the value, so that a pair that was no race becomes one by somebody else's step.
TEST(Issue, CompareExchangeThatSucceedsLater) {
  Script s;
  s.variables = {0};
  s.thread().cas(0, 1, 0, 0);
  s.thread().atomic_load(0, 0).jump_if(0, scripted::Test::NotEqual, 0, 5).load(0, 1).check(1, scripted::Test::NotEqual, 1, 69).jump(0);
  s.thread().store_from(0, 0, 1);
  expect_stateful_agreement(s);
}

// What a thread is left with when another one's step ends the run may follow in a known state, too.
TEST(Issue, LockThatIsNeverTriedInARunThatFails) {
  Script s;
  s.variables = {0};
  s.mutexes = 1;
  s.conditions = 1;
  s.thread().broadcast(0).atomic_load(0, 0).lock(0);
  s.thread().try_lock(0, 1).lock(0);
  expect_stateful_agreement(s);
}

// The run that ends with the load shows its race with another store: that is not the one that was looked for.
TEST(Issue, RaceWithAnotherStoreInTheSameRun) {
  Script s;
  s.variables = {0};
  s.thread().load(0, 0).check(0, scripted::Test::NotEqual, 0, 50);
  s.thread().atomic_load(0, 1).store_from(0, 1, 0).jump(0);
  s.thread().store_from(0, 1, 0);
  expect_stateful_agreement(s);
}

// What is read under a read lock is not protected from those who write under one. Seen to fail when a write counted every lock that its thread held.
TEST(Trap, ReadLocksDoNotProtectWrites) {
  Script s;
  s.variables = {0};
  s.rwlocks = 1;
  s.thread().read_lock(0).store(0, 1).rw_unlock(0);
  s.thread().read_lock(0).load(0, 1).rw_unlock(0);
  expect_stateful_agreement(s);
}

// The variable seems to be thread 0's own until thread 1 has been seen to come first. Seen to fail when no access of thread 0 counted.
TEST(Trap, ProtectionIsLostLate) {
  Script s;
  s.variables = {0, 0};
  s.thread().store(0, 1).atomic_store(1, 1);
  s.thread().atomic_load(1, 1).jump_if(1, scripted::Test::NotEqual, 0, 3).load(0, 0);
  expect_stateful_agreement(s);
}

// Whoever fails to take a lock does not hold it. Seen to fail when it counted as holding it.
TEST(Trap, AttemptsThatFailProtectNothing) {
  Script s;
  s.variables = {0};
  s.mutexes = 1;
  s.thread().try_lock(0, 0).store(0, 1);
  s.thread().lock(0).load(0, 1).unlock(0);
  expect_stateful_agreement(s);
}

// Thread 0 accesses the variable before it creates thread 1, which is nobody's business, and after it: that counts. Seen to fail when no access of thread 0 counted.
TEST(Trap, OnlyWhoIsAloneIsUnseen) {
  Script s;
  s.variables = {0};
  s.thread().store(0, 1).create(1).store(0, 2).join(1).load(0, 0);
  s.thread().load(0, 1);
  expect_stateful_agreement(s);
}

// Thread 2 is created by thread 0 or by thread 1, which lets it read before thread 0 has stored. Seen to fail when the creator seen first counted as the only one.
TEST(Trap, TwoWhoMayCreate) {
  Script s;
  s.variables = {0, 0};
  s.mutexes = 1;
  s.thread().create(1).atomic_store(1, 1).lock(0).load(0, 1).jump_if(1, scripted::Test::NotEqual, 0, 7).store(0, 1).create(2).unlock(0);
  s.thread().lock(0).load(0, 1).jump_if(1, scripted::Test::NotEqual, 0, 5).store(0, 1).create(2).unlock(0);
  s.thread().atomic_load(1, 0);
  expect_stateful_agreement(s);
}

// Thread 0 waits for a semaphore that thread 2 posts. Seen to fail when some enabled thread was taken to be whom it waits for.
TEST(Trap, NobodyIsKnownToLetItGoOn) {
  Script s;
  s.variables = {0};
  s.semaphores = {0};
  s.thread().sem_wait(0).atomic_load(0, 0);
  s.thread().atomic_store(0, 1);
  s.thread().sem_post(0);
  expect_stateful_agreement(s);
}

}  // namespace
}  // namespace heddle::generated
