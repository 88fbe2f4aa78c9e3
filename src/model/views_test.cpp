#include "model/views.h"

#include <gtest/gtest.h>

#include "model/hand_made_trace_test.h"

namespace heddle {
namespace {

TEST(Views, OfWhatHappenedAndOfWhatIsLeft) {
  HandMade run;
  run.add(1, Op::CondResume, object(0), {.alternative = 1, .outcome = 1, .size = 2, .argument = object(1)});
  run.left_with(2, Op::SemWait, object(3), 7);
  const OpView done = view_of(run.trace.events[0]);
  EXPECT_EQ(done.thread, 1);
  EXPECT_EQ(done.alternative, 1);
  EXPECT_EQ(done.argument, object(1));
  const OpView left = view_of(run.trace.pending[0]);
  EXPECT_EQ(left.outcome, OpView::kUnknownOutcome);
  EXPECT_EQ(left.alternative, wire::kAnyAlternative);
  EXPECT_EQ(left.size, 7u);
}

TEST(Views, WhoGetsTheMutex) {
  auto takes = [](Op op, std::uint8_t outcome) {
    HandMade run;
    run.add(0, op, object(0), {.outcome = outcome});
    return takes_mutex(run.trace.events[0]);
  };
  EXPECT_TRUE(takes(Op::MutexLock, 0));
  EXPECT_FALSE(takes(Op::MutexLock, 1));  // an error
  EXPECT_TRUE(takes(Op::MutexTryLock, 1));
  EXPECT_FALSE(takes(Op::MutexTryLock, 0));
  EXPECT_TRUE(takes(Op::MutexTimedLock, 0));
  EXPECT_FALSE(takes(Op::MutexTimedLock, 1));
  EXPECT_TRUE(takes(Op::CondResume, 1));
  EXPECT_FALSE(takes(Op::MutexUnlock, 0));
}

TEST(Views, WhatEndsTheRun) {
  HandMade run;
  EXPECT_FALSE(ends_by_last_event(run.trace));
  run.write(0, 0);
  EXPECT_FALSE(ends_by_last_event(run.trace));
  for (wire::End end : {wire::End::Stopped, wire::End::Died, wire::End::Hung}) {
    run.trace.end = end;
    EXPECT_TRUE(ends_by_last_event(run.trace));
  }
  run.trace.end = wire::End::Deadlock;
  EXPECT_FALSE(ends_by_last_event(run.trace));
  run.left_with(1, Op::MutexLock, object(0));
  run.trace.end = wire::End::Completed;  // main returned while others were not through
  EXPECT_TRUE(ends_by_last_event(run.trace));
}

}  // namespace
}  // namespace heddle
