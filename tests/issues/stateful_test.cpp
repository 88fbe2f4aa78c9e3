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

// Trap 4: the state after both stores is reached with thread 0's step asleep, and later without. Not seen to fail when o-dpor ends at such states all the
// same, nor is anything generated: what the sleeping step leads to has been reached by another way then. It fails when known states tell the path nothing.
TEST(Trap, StatesKnownWithSomethingAsleep) {
  Script s;
  s.variables = {0, 0};
  s.thread().atomic_store(0, 1).atomic_load(1, 0);
  s.thread().atomic_store(1, 1).atomic_store(1, 0).atomic_load(0, 0);
  s.thread().atomic_store(0, 1).atomic_store(1, 1);
  expect_stateful_agreement(s);
}

// Trap 5: thread 0 goes round for ever by itself; thread 1 must not be put off for ever. Seen to fail when states on a cycle are not taken whole.
TEST(Trap, NobodyIsPutOffForEver) {
  Script s;
  s.variables = {0, 0};
  s.thread().atomic_load(0, 0).jump(0);
  s.thread().atomic_load(1, 0).check(0, scripted::Test::Equal, 1, 7);
  expect_stateful_agreement(s);
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

}  // namespace
}  // namespace heddle::generated
