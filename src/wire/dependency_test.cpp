// The dependency table: what it must say whatever the kinds, and the answers that reductions rest on.
#include "wire/dependency.h"

#include <vector>

#include <gtest/gtest.h>

namespace heddle::wire {
namespace {

constexpr Address kThing = make_address(Region::Module, 0, 0x100), kOther = make_address(Region::Module, 0, 0x200);

// The mutex of a condition variable's operation goes with the condition variable.
OpView of(Op op, uint8_t thread = 0, Address object = kThing, uint8_t alternative = kAnyAlternative) {
  return {thread, op, OpView::kUnknownOutcome, 4, object, object + 0x1000, alternative};
}
Relation between(Op a, Op b) { return relation(of(a, 1), of(b, 2)); }

std::vector<Op> all_kinds() {
  std::vector<Op> kinds;
  for (int i = 0; i < kOpCount; ++i) kinds.push_back(static_cast<Op>(i));
  return kinds;
}

TEST(Dependency, IsSymmetric) {
  for (Op a : all_kinds())
    for (Op b : all_kinds())
      for (Address object : {kThing, kOther})
        EXPECT_EQ(relation(of(a, 1), of(b, 2, object)), relation(of(b, 2, object), of(a, 1))) << op_name(a) << ", " << op_name(b);
}

TEST(Dependency, OfOneThreadIsAlways) {
  for (Op a : all_kinds())
    for (Op b : all_kinds()) EXPECT_TRUE(dependent(of(a, 1), of(b, 1, kOther)));
}

TEST(Dependency, NeverAcrossObjectsApartFromTheEndOfTheProcess) {
  for (Op a : all_kinds())
    for (Op b : all_kinds()) {
      const bool ends = a == Op::Exit || b == Op::Exit;
      const bool threads = op_class(a) == OpClass::Thread || op_class(b) == OpClass::Thread;  // name a thread, not an address
      if (threads) continue;
      EXPECT_EQ(dependent(of(a, 1), of(b, 2, kOther)), ends) << op_name(a) << ", " << op_name(b);
    }
}

TEST(Dependency, ReadsCommute) {
  EXPECT_EQ(between(Op::AtomicLoad, Op::Read), Relation::Independent);
  EXPECT_EQ(between(Op::Await, Op::AtomicLoad), Relation::Independent);
  EXPECT_EQ(between(Op::AtomicLoad, Op::AtomicCas), Relation::Conflict);
  OpView failed = of(Op::AtomicCas, 1), other = of(Op::AtomicCas, 2);
  failed.outcome = 0;
  EXPECT_EQ(relation(failed, other), Relation::Conflict);  // which may exchange
  other.outcome = 0;
  EXPECT_EQ(relation(failed, other), Relation::Independent);
  EXPECT_EQ(relation(failed, of(Op::AtomicLoad, 2)), Relation::Independent);
  EXPECT_EQ(relation(failed, of(Op::AtomicStore, 2)), Relation::Conflict);
  EXPECT_EQ(relation(of(Op::AtomicCas, 1, kThing, 1), of(Op::AtomicLoad, 2)), Relation::Independent);  // fails for no reason
  EXPECT_EQ(between(Op::Await, Op::AtomicStore), Relation::Conflict);
}

// Uses of hidden objects depend on each other like accesses to memory, with which they have nothing in common.
TEST(Dependency, HiddenObjects) {
  const Address file = hidden_address(Hidden::File, 7), other = hidden_address(Hidden::File, 8);
  auto use = [](Op op, uint8_t thread, Address object) { return of(op, thread, object); };
  EXPECT_FALSE(dependent(use(Op::StateRead, 1, file), use(Op::StateRead, 2, file)));
  EXPECT_TRUE(conflict(use(Op::StateRead, 1, file), use(Op::StateWrite, 2, file)));
  EXPECT_TRUE(conflict(use(Op::StateWrite, 1, file), use(Op::StateWrite, 2, file)));
  EXPECT_TRUE(conflict(use(Op::StateWrite, 1, file), use(Op::Read, 2, file)));  // a call that does not take care of itself
  EXPECT_FALSE(dependent(use(Op::StateWrite, 1, file), use(Op::StateWrite, 2, other)));
  EXPECT_FALSE(dependent(use(Op::StateWrite, 1, file), use(Op::StateWrite, 2, file + 4)));
  EXPECT_TRUE(is_hidden(file) && !is_hidden(kThing));
}

TEST(Dependency, BytesThatOverlap) {
  OpView a = of(Op::Write, 1), b = of(Op::Read, 2, kThing + 3);
  EXPECT_TRUE(dependent(a, b));
  b.object = kThing + 4;
  EXPECT_FALSE(dependent(a, b));
}

TEST(Dependency, AwaitWithoutAnObjectWaitsForAnyWrite) {
  EXPECT_TRUE(dependent(of(Op::Await, 1, 0), of(Op::AtomicStore, 2)));
  EXPECT_FALSE(dependent(of(Op::Await, 1, 0), of(Op::AtomicLoad, 2)));
}

// Lock and unlock of one mutex are ordered in every run, but never possible at once. A trylock may be, and sees the difference.
TEST(Dependency, CoEnabledness) {
  EXPECT_EQ(between(Op::MutexLock, Op::MutexUnlock), Relation::Enables);
  EXPECT_FALSE(may_be_co_enabled(of(Op::MutexLock, 1), of(Op::MutexUnlock, 2)));
  EXPECT_TRUE(may_be_co_enabled(of(Op::MutexLock, 1), of(Op::MutexLock, 2)));
  EXPECT_TRUE(may_be_co_enabled(of(Op::MutexTryLock, 1), of(Op::MutexUnlock, 2)));
  EXPECT_FALSE(may_be_co_enabled(of(Op::RwWriteLock, 1), of(Op::RwUnlock, 2)));
  EXPECT_FALSE(may_be_co_enabled(of(Op::BarrierResume, 1), of(Op::BarrierWait, 2)));
  EXPECT_FALSE(may_be_co_enabled(of(Op::OnceBegin, 1), of(Op::OnceEnd, 2)));
}

TEST(Dependency, ReadLocksShare) {
  EXPECT_EQ(between(Op::RwReadLock, Op::RwReadLock), Relation::Independent);
  EXPECT_EQ(between(Op::RwReadLock, Op::RwWriteLock), Relation::Conflict);
  EXPECT_EQ(between(Op::RwUnlock, Op::RwUnlock), Relation::Independent);
}

// Waiting gives the mutex back, resuming takes it again.
TEST(Dependency, ConditionVariablesHaveAMutexSide) {
  OpView wait = of(Op::CondWait, 1, kOther), resume = of(Op::CondResume, 1, kOther);
  wait.argument = resume.argument = kThing;
  EXPECT_EQ(relation(wait, of(Op::MutexLock, 2)), Relation::Enables);
  EXPECT_EQ(relation(resume, of(Op::MutexLock, 2)), Relation::Conflict);
  EXPECT_EQ(relation(resume, of(Op::MutexUnlock, 2)), Relation::Enables);
}

// Whoever was woken is out of the queue; whoever leaves by itself can no longer be picked.
TEST(Dependency, ResumeDependsOnTheSignalByItsAlternative) {
  OpView woken = of(Op::CondResume, 1, kThing, 0), timed_out = of(Op::CondResume, 1, kThing, 1);
  woken.argument = timed_out.argument = kOther;
  EXPECT_EQ(relation(woken, of(Op::CondSignal, 2)), Relation::Enables);
  EXPECT_EQ(relation(timed_out, of(Op::CondSignal, 2)), Relation::Conflict);
  EXPECT_EQ(between(Op::CondSignal, Op::CondSignal), Relation::Conflict);
}

// Who waits is a set. With one mutex two waits are never possible at once, with two they commute.
TEST(Dependency, WaitsCommute) {
  OpView with_another_mutex = of(Op::CondWait, 2);
  with_another_mutex.argument = kOther;
  EXPECT_EQ(relation(of(Op::CondWait, 1), with_another_mutex), Relation::Independent);
}

TEST(Dependency, Semaphores) {
  EXPECT_EQ(between(Op::SemPost, Op::SemPost), Relation::Independent);
  EXPECT_EQ(between(Op::SemGetValue, Op::SemGetValue), Relation::Independent);
  EXPECT_EQ(between(Op::SemPost, Op::SemWait), Relation::Conflict);
  EXPECT_EQ(between(Op::SemWait, Op::SemWait), Relation::Conflict);
}

TEST(Dependency, FutexWaitReadsItsWord) {
  EXPECT_EQ(between(Op::FutexWait, Op::AtomicStore), Relation::Conflict);
  EXPECT_EQ(between(Op::FutexWait, Op::AtomicLoad), Relation::Independent);
  EXPECT_EQ(between(Op::FutexWait, Op::FutexWake), Relation::Conflict);
}

TEST(Dependency, ThreadsAreOrderedWithTheirCreationAndJoin) {
  const Address second = make_address(Region::Thread, 2, 0);
  EXPECT_EQ(relation(of(Op::ThreadCreate, 1, second), of(Op::AtomicLoad, 2)), Relation::Enables);
  EXPECT_EQ(relation(of(Op::ThreadJoin, 1, second), of(Op::AtomicLoad, 2)), Relation::Enables);
  EXPECT_EQ(relation(of(Op::ThreadTryJoin, 1, second), of(Op::AtomicLoad, 2)), Relation::Conflict);
  EXPECT_EQ(relation(of(Op::ThreadJoin, 1, second), of(Op::AtomicLoad, 3)), Relation::Independent);
}

TEST(Dependency, ConflictIsWhatWakesSleepers) {
  for (Op a : all_kinds())
    for (Op b : all_kinds()) {
      if (!conflict(of(a, 1), of(b, 2))) continue;
      EXPECT_TRUE(dependent(of(a, 1), of(b, 2)) && may_be_co_enabled(of(a, 1), of(b, 2))) << op_name(a) << ", " << op_name(b);
    }
}

}  // namespace
}  // namespace heddle::wire
