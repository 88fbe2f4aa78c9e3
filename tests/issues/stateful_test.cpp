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

}  // namespace
}  // namespace heddle::generated
