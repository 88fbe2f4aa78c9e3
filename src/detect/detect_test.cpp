// Findings of hand-made traces.
#include <gtest/gtest.h>

#include <csignal>
#include <cstring>

#include "detect/deadlock.h"
#include "detect/finding.h"
#include "detect/notes.h"

namespace heddle {
namespace {

using wire::End;
using wire::Region;
using wire::ReportKind;

Address code(std::uint64_t offset) { return wire::make_address(Region::Module, 0, offset); }
Address data(std::uint64_t offset) { return wire::make_address(Region::Module, 0, 0x100000 + offset); }

Pending waiting(std::uint8_t thread, Op op, Address object, std::uint8_t holder, std::uint64_t pc) {
  Pending p;
  p.thread = thread;
  p.op = op;
  p.object = object;
  p.holder = holder;
  p.pc = code(pc);
  return p;
}

Event event(std::uint8_t thread, Op op, std::uint64_t pc) {
  Event e;
  e.thread = thread;
  e.op = op;
  e.pc = code(pc);
  return e;
}

Trace abba() {
  Trace t;
  t.end = End::Deadlock;
  t.events = {event(1, Op::MutexLock, 0x10), event(2, Op::MutexLock, 0x30)};
  t.pending = {waiting(0, Op::ThreadJoin, wire::make_address(Region::Thread, 1, 0), wire::kNoThread, 0x90),
               waiting(1, Op::MutexLock, data(8), 2, 0x20), waiting(2, Op::MutexLock, data(0), 1, 0x40)};
  return t;
}

wire::Report race(std::uint8_t first, std::uint64_t first_pc, std::uint8_t second, std::uint64_t second_pc) {
  wire::Report r;
  r.kind = ReportKind::DataRace;
  r.thread = second;
  r.other_thread = first;
  r.access = wire::kAccessWrite;
  r.size = r.other_size = 4;
  r.address = data(64);
  r.pc = code(second_pc);
  r.other_pc = code(first_pc);
  return r;
}

wire::Report with_text(ReportKind kind, const char* text) {
  wire::Report r;
  r.kind = kind;
  r.thread = 1;
  r.pc = code(0x50);
  std::strcpy(r.text, text);
  r.text_length = static_cast<std::uint16_t>(std::strlen(text));
  return r;
}

TEST(Detect, NothingWrong) { EXPECT_TRUE(detect(Trace{}).empty()); }

TEST(Detect, WhatIsKnownIsLeftOut) {
  Trace t;
  t.reports = {race(1, 0x10, 2, 0x20), race(1, 0x30, 2, 0x40)};
  const auto all = detect(t);
  ASSERT_EQ(all.size(), 2u);
  const auto rest = detect(t, {all[0].signature});
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(rest[0].signature, all[1].signature);
}

TEST(Detect, DeadlockShowsItsCycleAndNobodyElse) {
  EXPECT_EQ(wait_for_cycle(abba()), (std::vector<std::uint8_t>{1, 2}));
  const auto found = detect(abba());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::Deadlock);
  EXPECT_EQ(found[0].step, 2u);
  EXPECT_EQ(found[0].choices.size(), 2u);
  ASSERT_EQ(found[0].involved.size(), 4u);  // waits and holds, twice
  EXPECT_EQ(found[0].involved[0].thread, 1);
  EXPECT_EQ(found[0].involved[1].thread, 2);
  EXPECT_NE(found[0].message.find("thread 1 waits for a mutex held by thread 2"), std::string::npos);
  EXPECT_EQ(found[0].message.find("main"), std::string::npos);
}

TEST(Detect, DeadlockOfOneThreadWithItself) {
  Trace t;
  t.end = End::Deadlock;
  t.pending = {waiting(0, Op::MutexLock, data(0), 0, 0x10)};
  EXPECT_EQ(wait_for_cycle(t), (std::vector<std::uint8_t>{0}));
  EXPECT_NE(detect(t)[0].message.find("held by itself"), std::string::npos);
}

TEST(Detect, CycleThroughAJoin) {
  Trace t;
  t.end = End::Deadlock;
  t.pending = {waiting(0, Op::ThreadJoin, wire::make_address(Region::Thread, 1, 0), wire::kNoThread, 0x10),
               waiting(1, Op::MutexLock, data(0), 0, 0x20)};
  EXPECT_EQ(wait_for_cycle(t).size(), 2u);
}

TEST(Detect, DeadlockWithoutCycleShowsAllWhoWait) {
  Trace t;
  t.end = End::Deadlock;
  t.pending = {waiting(0, Op::ThreadJoin, wire::make_address(Region::Thread, 1, 0), wire::kNoThread, 0x10),
               waiting(1, Op::CondResume, data(0), wire::kNoThread, 0x20)};
  EXPECT_TRUE(wait_for_cycle(t).empty());
  const auto found = detect(t);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].involved.size(), 2u);
  EXPECT_NE(found[0].message.find("thread 1 waits for a condition variable that nobody can serve"), std::string::npos);
  EXPECT_NE(found[0].message.find("main waits for the end of thread 1"), std::string::npos);
}

TEST(Detect, OnlySpinLoopsLeftIsALivelock) {
  Trace t;
  t.end = End::Deadlock;
  t.pending = {waiting(0, Op::Await, data(0), wire::kNoThread, 0x10)};
  EXPECT_EQ(detect(t)[0].kind, FindingKind::Livelock);
}

TEST(Detect, DeadlockSignatureIgnoresTheScheduleAndTheOrderOfThreads) {
  Trace a = abba(), b = abba();
  b.events.push_back(event(2, Op::MutexLock, 0x77));
  std::swap(b.pending[1], b.pending[2]);
  EXPECT_EQ(detect(a)[0].signature, detect(b)[0].signature);
  b.pending[1].pc = code(0x41);
  EXPECT_NE(detect(a)[0].signature, detect(b)[0].signature);
}

TEST(Detect, RaceSignatureDoesNotDependOnWhoCameFirst) {
  Trace a, b, c;
  a.reports = {race(1, 0x10, 2, 0x20)};
  b.reports = {race(2, 0x20, 1, 0x10)};
  c.reports = {race(2, 0x20, 1, 0x11)};
  EXPECT_EQ(detect(a)[0].signature, detect(b)[0].signature);
  EXPECT_NE(detect(a)[0].signature, detect(c)[0].signature);
}

TEST(Detect, RaceNamesBothSides) {
  Trace t;
  t.reports = {race(1, 0x10, 2, 0x20)};
  const Finding f = detect(t)[0];
  EXPECT_EQ(f.kind, FindingKind::DataRace);
  EXPECT_EQ(f.message, "data race: write of 4 bytes by thread 2 and read of 4 bytes by thread 1");
  ASSERT_EQ(f.involved.size(), 2u);
  EXPECT_EQ(f.involved[0].stack, std::vector<Address>{code(0x20)});
  EXPECT_EQ(f.involved[1].stack, std::vector<Address>{code(0x10)});
}

TEST(Detect, DetailGivesWholeStacks) {
  Trace t;
  t.reports = {race(1, 0x10, 2, 0x20)};
  t.stacks = {{wire::StackRecord::OfReport, 2, 0, {code(0x20), code(0x21)}},
              {wire::StackRecord::OfReportOther, 1, 0, {code(0x10), code(0x11), code(0x12)}},
              {wire::StackRecord::OfAllocation, 0, 0, {code(0x70)}}};
  const Finding f = detect(t)[0];
  ASSERT_EQ(f.involved.size(), 3u);
  EXPECT_EQ(f.involved[0].stack.size(), 2u);
  EXPECT_EQ(f.involved[1].stack.size(), 3u);
  EXPECT_EQ(f.involved[2].role, "allocated");
}

TEST(Detect, HeapMisuseNamesWhoFreedTheBlock) {
  Trace t;
  t.reports.resize(1);
  t.reports[0].kind = ReportKind::UseAfterFree, t.reports[0].thread = 2, t.reports[0].pc = code(0x20);
  t.stacks = {{wire::StackRecord::OfReportOther, 1, 5 << 3 | wire::kWatchedFree, {code(0x30), code(0x31)}},
              {wire::StackRecord::OfReportOther, 2, 6 << 3, {code(0x20)}}};  // the access itself
  const Finding f = detect(t)[0];
  ASSERT_EQ(f.involved.size(), 2u);
  EXPECT_EQ(f.involved[1].role, "free");
  EXPECT_EQ(f.involved[1].thread, 1);
  EXPECT_EQ(f.involved[1].stack.size(), 2u);
}

TEST(Detect, UseAfterReturnNamesAccessAndEndInEitherOrder) {
  Trace t;
  t.reports = {race(1, 0x10, 2, 0x20), race(2, 0x20, 1, 0x10)};
  for (wire::Report& r : t.reports) r.kind = ReportKind::UseAfterReturn;
  t.reports[0].other_access = wire::kAccessEnd;
  t.reports[1].access = wire::kAccessReturn, t.reports[1].other_access = 0;
  const std::vector<Finding> found = detect(t);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, FindingKind::UseAfterReturn);
  EXPECT_EQ(found[0].message, "use after return: write of 4 bytes by thread 2 to memory of thread 1, which has ended");
  EXPECT_EQ(found[0].involved.at(1).role, "end");
  EXPECT_EQ(found[1].message,
            "use after return: read of 4 bytes by thread 2 to a variable of a function of thread 1 that has returned in another order");
}

// Somebody who may not time out any more could still go on; threads that wait for each other's locks cannot.
TEST(Detect, CircleOfLocksBesideSpentTimeouts) {
  Trace t;
  t.end = wire::End::TimeoutLimit;
  t.pending.resize(1);
  t.pending[0].op = Op::CondResume, t.pending[0].object = 1;
  EXPECT_TRUE(detect(t).empty());
  for (std::uint8_t thread : {1, 2}) {
    Pending p;
    p.thread = thread, p.op = Op::MutexLock, p.holder = static_cast<std::uint8_t>(3 - thread), p.object = thread + 1u;
    t.pending.push_back(p);
  }
  ASSERT_EQ(detect(t).size(), 1u);
  EXPECT_EQ(detect(t)[0].kind, FindingKind::Deadlock);
  EXPECT_EQ(detect(t)[0].message.find("main"), std::string::npos);
}

TEST(Detect, ReportsBecomeKindsWithTheirText) {
  const std::pair<ReportKind, FindingKind> kinds[] = {
      {ReportKind::Assertion, FindingKind::Assertion},   {ReportKind::Abort, FindingKind::Abort},
      {ReportKind::DoubleFree, FindingKind::DoubleFree}, {ReportKind::Crash, FindingKind::Crash},
      {ReportKind::BadFree, FindingKind::BadFree},       {ReportKind::LockMisuse, FindingKind::LockMisuse},
      {ReportKind::Livelock, FindingKind::Livelock}};
  for (const auto& [report, finding] : kinds) {
    Trace t;
    t.end = End::Stopped;
    t.reports = {with_text(report, "balance == 3")};
    const auto found = detect(t);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, finding);
    EXPECT_NE(found[0].message.find("balance == 3"), std::string::npos);
  }
}

TEST(Detect, ExceptionTypeIsReadable) {
  Trace t;
  t.reports = {with_text(ReportKind::Exception, "St13runtime_error")};
  EXPECT_EQ(detect(t)[0].message, "uncaught exception of type std::runtime_error");
}

TEST(Detect, WhatIsNotTheProgramsFaultIsNoFinding) {
  for (ReportKind kind : {ReportKind::Note, ReportKind::Unsupported, ReportKind::NeedsFork}) {
    Trace t;
    t.reports = {with_text(kind, "epoll_wait")};
    EXPECT_TRUE(detect(t).empty());
  }
}

TEST(Detect, ExitStatus) {
  Trace t;
  t.exit_status = 3;
  ASSERT_EQ(detect(t).size(), 1u);
  EXPECT_EQ(detect(t)[0].kind, FindingKind::UncaughtExit);
  wire::Report r;
  r.kind = ReportKind::Exit;
  r.signal = 3;
  t.reports = {r};
  EXPECT_EQ(detect(t).size(), 1u);  // said twice, found once
}

TEST(Detect, DeathBehindTheRuntimesBack) {
  Trace t;
  t.end = End::Died;
  t.exit_status = SIGKILL;  // a wait status
  ASSERT_EQ(detect(t).size(), 1u);
  EXPECT_EQ(detect(t)[0].kind, FindingKind::Crash);
  EXPECT_NE(detect(t)[0].message.find("SIGKILL"), std::string::npos);
  t.exit_status = 3 << 8;
  EXPECT_EQ(detect(t)[0].kind, FindingKind::UncaughtExit);
}

// Thread 0 is possible all the time and moves once, with the last event.
Trace back_where_it_was(End end) {
  Trace t;
  t.end = end;
  for (const std::uint8_t thread : {1, 1, 0}) {
    t.events.push_back(event(thread, Op::AtomicLoad, 0x10));
    t.events.back().enabled.add(0);
    t.events.back().enabled.add(1);
  }
  t.states = {{1, 1}, {2, 1}, {1, 1}};
  return t;
}

// Seen to fail when a run that was ended by its last event, which no state comes after, could show a lap, and a search that stops at known states.
TEST(Detect, ALapIsWhatTheNumberOfStepsEnds) {
  ASSERT_EQ(detect(back_where_it_was(End::StepLimit)).size(), 1u);
  EXPECT_EQ(detect(back_where_it_was(End::StepLimit))[0].lap, 2u);
  EXPECT_TRUE(detect(back_where_it_was(End::Stopped)).empty());
  EXPECT_TRUE(detect(back_where_it_was(End::Completed)).empty());
  EXPECT_TRUE(detect(back_where_it_was(End::Revisited)).empty());
}

TEST(Detect, Hang) {
  Trace t;
  t.end = End::Hung;
  t.events = {event(1, Op::AtomicLoad, 0x10)};
  ASSERT_EQ(detect(t).size(), 1u);
  EXPECT_EQ(detect(t)[0].kind, FindingKind::Livelock);
  EXPECT_EQ(detect(t)[0].involved[0].thread, 1);
  const std::string signature = detect(t)[0].signature;
  t.reports = {with_text(ReportKind::Note, "no visible operation")};
  EXPECT_EQ(detect(t)[0].involved[0].stack, std::vector<Address>{code(0x50)});
  EXPECT_EQ(detect(t)[0].signature, signature);
  EXPECT_TRUE(notes_of(t).empty());
}

TEST(Detect, OutOfMemoryIsTheSameBugWhereverItWasInterrupted) {
  Trace t;
  t.end = End::OutOfMemory;
  t.events = {event(1, Op::AtomicLoad, 0x10)};
  t.reports = {with_text(ReportKind::Note, "too much memory")};
  ASSERT_EQ(detect(t).size(), 1u);
  const Finding first = detect(t)[0];
  EXPECT_EQ(first.kind, FindingKind::Crash);
  EXPECT_NE(first.message.find("--target-memory"), std::string::npos);
  EXPECT_EQ(first.involved[0].stack, std::vector<Address>{code(0x50)});
  t.events.push_back(event(0, Op::MutexLock, 0x20));
  EXPECT_EQ(detect(t)[0].signature, first.signature);
  EXPECT_TRUE(notes_of(t).empty());
}

TEST(Detect, NeverJoinedIsANote) {
  Trace t;
  t.unjoined = 2;
  EXPECT_TRUE(detect(t).empty());
  EXPECT_EQ(notes_of(t), std::vector<std::string>{"2 threads are never joined"});
}

}  // namespace
}  // namespace heddle
