// The traces of small programs, written down by hand: `source` and `optimal` must come to exactly these.
//
// A trace is given by one of its runs, a letter for each event: p is the first thread, q the second, and so on. A digit after the letter
// is the alternative taken. What is left out is left undone: such a run ends in a deadlock. Spaces are for the eye.
#include <gtest/gtest.h>

#include <map>

#include "explore/reduction/optimal.h"
#include "explore/reduction/reference/enumeration.h"
#include "explore/reduction/reference/naive_order.h"
#include "explore/reduction/source.h"
#include "target/scripted/scripted_program.h"

namespace heddle::generated {
namespace {

using namespace scripted;
using Runs = std::vector<std::string>;
using TraceSet = std::map<std::string, std::string>;  // canonical form → a run, for messages

std::vector<Choice> choices_in(const std::string& run) {
  std::vector<Choice> choices;
  for (char c : run) {
    if (c >= '0' && c <= '9') choices.back().alternative = static_cast<std::uint8_t>(c - '0');
    else if (c != ' ') choices.push_back({static_cast<std::uint8_t>(c - 'p'), wire::kAnyAlternative});
  }
  return choices;
}

std::string run_of(const Trace& trace) {
  std::string run;
  for (const Event& e : trace.events) {
    run += static_cast<char>('p' + e.thread);
    if (e.alternatives.count() > 1) run += std::to_string(e.alternative);
  }
  return run;
}

TraceSet traces_of(Program& program, const Runs& runs) {
  TraceSet set;
  for (const std::string& run : runs) {
    Request request;
    request.prefix = choices_in(run);
    const Trace trace = program.run(request).value();
    const bool whole = trace.events.size() == request.prefix.size() && trace.end != wire::End::Diverged;
    EXPECT_TRUE(whole) << run << " is no whole run; it came to " << run_of(trace);
    const auto [it, is_new] = set.emplace(reference::canonical_form(trace), run);
    EXPECT_TRUE(is_new) << run << " and " << it->second << " are runs of one trace";
  }
  return set;
}

template <class Algorithm>
TraceSet explored(Program& program, std::uint64_t& executions, std::uint64_t& blocked) {
  TraceSet set;
  Algorithm algorithm;
  while (auto request = algorithm.next()) {
    const Trace trace = program.run(*request).value();
    ++(trace.end == wire::End::SleepBlocked ? blocked : executions);
    if (trace.end != wire::End::SleepBlocked) set.emplace(reference::canonical_form(trace), run_of(trace));
    algorithm.learn(*request, trace);
  }
  return set;
}

void expect_same(const char* algorithm, const TraceSet& seen, const TraceSet& expected) {
  for (const auto& [form, run] : expected) EXPECT_TRUE(seen.contains(form)) << algorithm << " misses " << run;
  for (const auto& [form, run] : seen) EXPECT_TRUE(expected.contains(form)) << algorithm << " has " << run << ", which is not expected";
}

void expect_traces(const Script& script, const Runs& runs) {
  ScriptedProgram program(script, {.races = false, .final_state = false});
  const TraceSet expected = traces_of(program, runs);
  std::uint64_t executions = 0, blocked = 0;
  expect_same("optimal", explored<Optimal>(program, executions, blocked), expected);
  EXPECT_EQ(executions, runs.size());
  EXPECT_EQ(blocked, 0u);
  expect_same("source", explored<Source>(program, executions, blocked), expected);
}

TEST(TraceSets, WritesOfTwoVariablesCommute) {
  Script s;
  s.variables = {0, 0};
  s.thread().store(0, 1);
  s.thread().store(1, 1);
  expect_traces(s, {"pq"});
}

TEST(TraceSets, ReadersCommuteWithEachOtherButNotWithTheWriter) {
  Script s;
  s.variables = {0};
  s.thread().store(0, 1);
  s.thread().load(0, 0);
  s.thread().load(0, 0);
  expect_traces(s, {"pqr", "qpr", "rpq", "qrp"});
}

// 002 section 3: x=1; x=2 and y=1; x=3. The write of y commutes; x=3 comes first, between or last.
TEST(TraceSets, TwoWritersOfOneVariable) {
  Script s;
  s.variables = {0, 0};
  s.thread().store(0, 1).store(0, 2);
  s.thread().store(1, 1).store(0, 3);
  expect_traces(s, {"qq pp", "p qq p", "pp qq"});
}

// x=1; read y and y=1; read x. Both reads cannot come first.
TEST(TraceSets, StoreBuffering) {
  Script s;
  s.variables = {0, 0};
  s.thread().atomic_store(0, 1).atomic_load(1, 0);
  s.thread().atomic_store(1, 1).atomic_load(0, 0);
  expect_traces(s, {"pp qq", "pq pq", "qq pp"});
}

// x=1; y=1 and read y; read x. Seeing y but not x is impossible.
TEST(TraceSets, MessagePassing) {
  Script s;
  s.variables = {0, 0};
  s.thread().atomic_store(0, 1).atomic_store(1, 1);
  s.thread().atomic_load(1, 0).atomic_load(0, 0);
  expect_traces(s, {"pp qq", "q pp q", "qq pp"});
}

// x++ as a read and a write, in two threads.
TEST(TraceSets, LostUpdate) {
  Script s;
  s.variables = {0};
  s.thread().atomic_load(0, 0).atomic_store(0, 1);
  s.thread().atomic_load(0, 0).atomic_store(0, 2);
  expect_traces(s, {"pp qq", "qq pp", "pq pq", "pq qp"});  // after each other, or both reads first
}

TEST(TraceSets, CompareExchange) {
  Script s;
  s.variables = {0};
  s.thread().cas(0, 0, 1, 0);
  s.thread().cas(0, 0, 2, 0);
  s.thread().cas(0, 0, 3, 0);
  expect_traces(s, {"pqr", "qpr", "rpq"});  // those that fail only read
}

TEST(TraceSets, CriticalSections) {
  Script s;
  s.mutexes = 1;
  for (int t = 0; t < 3; ++t) s.thread().lock(0).unlock(0);
  expect_traces(s, {"pp qq rr", "pp rr qq", "qq pp rr", "qq rr pp", "rr pp qq", "rr qq pp"});
}

// Two locks in opposite order: who is first at both of them, or each at one of them and then never at the other.
TEST(TraceSets, Deadlock) {
  Script s;
  s.mutexes = 2;
  s.thread().lock(0).lock(1).unlock(1).unlock(0);
  s.thread().lock(1).lock(0).unlock(0).unlock(1);
  expect_traces(s, {"pppp qqqq", "qqqq pppp", "p q"});
}

// Before, during and after the critical section; during it fails, and there is no unlock.
TEST(TraceSets, TryLock) {
  Script s;
  s.mutexes = 1;
  s.thread().lock(0).unlock(0);
  s.thread().try_lock(0, 0).jump_if(0, scripted::Test::Equal, 0, 3).unlock(0);
  expect_traces(s, {"qq pp", "p q p", "pp qq"});
}

// Two readers and a writer: the writer has each reader before or after it.
TEST(TraceSets, ReadLocksAreShared) {
  Script s;
  s.rwlocks = 1;
  s.thread().read_lock(0).rw_unlock(0);
  s.thread().read_lock(0).rw_unlock(0);
  s.thread().write_lock(0).rw_unlock(0);
  expect_traces(s, {"rr pp qq", "pp rr qq", "qq rr pp", "pp qq rr"});
}

// The second post may come before or after the first wait, whose unit is the first post's.
TEST(TraceSets, Semaphore) {
  Script s;
  s.semaphores = {0};
  s.thread().sem_post(0).sem_post(0);
  s.thread().sem_wait(0).sem_wait(0);
  expect_traces(s, {"p q p q", "pp qq"});
}

// Two wait, one signals. A wait is two events: it gives the mutex up (the second of its thread), and comes back.
TEST(TraceSets, SignalWakesAnyWaiter) {
  Script s;
  s.mutexes = s.conditions = 1;
  s.thread().lock(0).wait(0, 0).unlock(0);
  s.thread().lock(0).wait(0, 0).unlock(0);
  s.thread().lock(0).signal(0).unlock(0);
  expect_traces(s, {
                       "rrr pp qq", "rrr qq pp",              // lost: both wait for ever
                       "pp rrr pp qq", "pp rrr qq pp",        // p was there, and is back before or after q comes
                       "qq rrr qq pp", "qq rrr pp qq",        // …
                       "pp qq rr0r pp", "pp qq rr1r qq",      // both were there, either is woken
                       "qq pp rr0r pp", "qq pp rr1r qq",
                   });
}

TEST(TraceSets, Broadcast) {
  Script s;
  s.mutexes = s.conditions = 1;
  s.thread().lock(0).wait(0, 0).unlock(0);
  s.thread().lock(0).broadcast(0).unlock(0);
  expect_traces(s, {"qqq pp", "pp qqq pp"});
}

// The one that arrives last is told so; the other leaves.
TEST(TraceSets, Barrier) {
  Script s;
  s.barriers = {2};
  s.thread().barrier_wait(0);
  s.thread().barrier_wait(0);
  expect_traces(s, {"pq p", "qp q"});
}

TEST(TraceSets, Once) {
  Script s;
  s.onces = 1;
  for (int t = 0; t < 2; ++t) s.thread().once_begin(0, 0).jump_if(0, scripted::Test::Equal, 0, 3).once_end(0);
  expect_traces(s, {"pp q", "qq p"});
}

// Seen at once, or waited for: then the thread looks, waits, and looks again.
TEST(TraceSets, Await) {
  Script s;
  s.variables = {0};
  s.thread().atomic_store(0, 1);
  s.thread().await(0, 1, 0);
  expect_traces(s, {"pq", "q p qq"});
}

// It ends with the second write. The first may come before the look, or wake the thread, or be overwritten while it waits.
TEST(TraceSets, AwaitOfTheSecondWrite) {
  Script s;
  s.variables = {0};
  s.thread().atomic_store(0, 1).atomic_store(0, 2);
  s.thread().await(0, 2, 0);
  expect_traces(s, {
                       "pp q",          // looks when it is over
                       "p q p qq",      // sees 1, waits for 2
                       "q pp qq",       // sees 0, is woken late
                       "q p q p q",     // sees 0, is woken by 1, looks and sees 2
                       "q p qq p qq",   // sees 0, is woken by 1, sees 1, waits for 2
                   });
}

TEST(TraceSets, Choices) {
  Script s;
  s.variables = {0};
  s.thread().choose(3, 0).store_from(0, 0);
  s.thread().store(0, 7);
  expect_traces(s, {"p0p q", "p1p q", "p2p q", "p0 q p", "p1 q p", "p2 q p"});
}

// Before its creation a thread has no events; a join comes after all of them.
TEST(TraceSets, CreateAndJoin) {
  Script s;
  s.variables = {0};
  s.thread().store(0, 1).create(1).store(0, 2).join(1).store(0, 3);
  s.thread().load(0, 0);
  expect_traces(s, {"pp p q pp", "pp q p pp"});
}

}  // namespace
}  // namespace heddle::generated
