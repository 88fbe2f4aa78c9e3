// Whether auto stores states, on scripts: what is decided, what comes out of it, and that nothing is lost.
#include "explore/auto_states.h"

#include <memory>

#include <gtest/gtest.h>

#include "target/scripted/scripted_program.h"

namespace heddle {
namespace {

using scripted::Script;
using scripted::ScriptedProgram;

Script counter(int threads, int times) {
  Script s;
  s.variables = {0};
  for (int t = 0; t < threads; ++t) {
    auto& thread = s.thread();
    for (int i = 0; i < times; ++i) thread.atomic_load(0, 0).add({.code = scripted::Code::AtomicStore, .value = 1, .from = 0});
  }
  return s;
}

struct Search {
  Config config;
  TrialLimits limits{.first_runs = 16, .trial_runs = 100};
  bool can_capture = true;
  int started = 0;
  std::unique_ptr<ScriptedProgram> second;

  AutoStates::Explored explore(const Script& script) {
    ScriptedProgram program(script);
    Patience patience(config.timeout_s);
    ProgressMeter meter(stderr, ProgressMeter::Style::None);
    auto start = [&](const Config&) -> Result<Program*> {
      ++started;
      if (!can_capture) return Error{"no states here", ""};
      second = std::make_unique<ScriptedProgram>(script);
      return second.get();
    };
    return AutoStates(config, program, start, patience, meter, default_place_name, limits).explore();
  }
};

bool notes(const Outcome& outcome, const std::string& words) {
  for (const std::string& note : outcome.notes)
    if (note.find(words) != std::string::npos) return true;
  return false;
}

TEST(AutoStates, SmallProgramsNeedNone) {
  Search search;
  search.limits.first_runs = 128;
  const auto explored = search.explore(counter(2, 1));
  EXPECT_EQ(explored.outcome.verdict, Verdict::Verified);
  EXPECT_FALSE(explored.stored);
  EXPECT_EQ(search.started, 0);
}

// A sixteenth of the limits suffices to settle it, and decides nothing if it does not.
TEST(AutoStates, FirstGlance) {
  Search search;
  search.limits = {.first_runs = 1'000'000, .trial_runs = 100'000};
  const auto all_at_once = search.explore(counter(2, 4));  // through within the first runs
  EXPECT_FALSE(all_at_once.stored);
  EXPECT_EQ(search.started, 0);
  search.limits = {.first_runs = 400, .trial_runs = 100'000};
  const auto settled = search.explore(counter(2, 4));
  EXPECT_TRUE(settled.stored);
  EXPECT_EQ(settled.outcome.verdict, Verdict::Verified);
  search.limits = {.first_runs = 400, .trial_runs = 8};
  const auto undecided = search.explore(counter(2, 4));
  EXPECT_FALSE(undecided.stored);
  EXPECT_EQ(undecided.outcome.verdict, Verdict::Verified);
  EXPECT_EQ(undecided.outcome.statistics.executions, all_at_once.outcome.statistics.executions);
}

TEST(AutoStates, StatesThatRepeatAreStored) {
  Search search;
  const auto explored = search.explore(counter(2, 7));
  EXPECT_EQ(explored.outcome.verdict, Verdict::Verified);
  EXPECT_TRUE(explored.stored);
  EXPECT_EQ(explored.outcome.algorithm, "dl-spor");
  EXPECT_TRUE(notes(explored.outcome, "stores states, since they repeat"));
  search.limits.trial_runs = 100'000;
  EXPECT_TRUE(notes(search.explore(counter(2, 7)).outcome, "was through first"));
}

// An execution a state: thread 0 writes down the order in which the others come.
Script log_of_orders() {
  Script s;
  s.variables = {1};
  s.mutexes = 1;
  for (int t = 0; t < 3; ++t) {
    auto& thread = s.thread();
    for (int i = 0; i < 2; ++i)
      thread.lock(0).atomic_load(0, 0).multiply(0, 3).add({.code = scripted::Code::AtomicStore, .value = t, .from = 0}).unlock(0);
  }
  return s;
}

TEST(AutoStates, StatesThatHardlyRepeatAreNot) {
  Search search;
  search.limits.trial_runs = 64;
  const auto explored = search.explore(log_of_orders());
  EXPECT_FALSE(explored.stored);
  EXPECT_EQ(explored.outcome.verdict, Verdict::Verified);
  EXPECT_EQ(explored.outcome.statistics.executions, 90u);  // 6! / 2!^3
  EXPECT_TRUE(notes(explored.outcome, "hardly repeat"));
}

// A trial that takes longer than the first search would is not waited for: here both have a run in turns.
TEST(AutoStates, ALongTrialLetsTheOtherHaveItsTurns) {
  Search search;
  search.limits = {.first_runs = 16, .trial_runs = 160, .turn_s = 0};
  const auto in_turns = search.explore(log_of_orders());
  EXPECT_EQ(in_turns.outcome.verdict, Verdict::Verified);
  EXPECT_FALSE(in_turns.stored);
  EXPECT_EQ(in_turns.outcome.statistics.executions, 90u);
  EXPECT_TRUE(notes(in_turns.outcome, "was through first, without stored states"));
  search.limits.turn_s = 1000;
  EXPECT_TRUE(search.explore(log_of_orders()).stored);
}

TEST(AutoStates, StatesThatCannotBeCapturedAreNot) {
  Search search;
  search.can_capture = false;
  const auto explored = search.explore(counter(2, 3));
  EXPECT_EQ(explored.outcome.verdict, Verdict::Verified);
  EXPECT_FALSE(explored.stored);
  EXPECT_EQ(search.started, 1);
  EXPECT_TRUE(notes(explored.outcome, "no states here"));
}

// The first search goes on where it was: no trace is missed or run again.
TEST(AutoStates, WhatWasSetAsideGoesOn) {
  Search search;
  search.can_capture = false;
  Config config;
  config.algorithm = "optimal";
  ScriptedProgram program(counter(2, 3));
  Patience patience;
  ProgressMeter meter(stderr, ProgressMeter::Style::None);
  AutoSearch alone(config);
  const Outcome whole = Explorer(config, program, alone, patience, meter).explore();
  ASSERT_GT(whole.statistics.executions, search.limits.first_runs);
  const auto explored = search.explore(counter(2, 3));
  EXPECT_EQ(explored.outcome.statistics.executions, whole.statistics.executions);
  EXPECT_EQ(explored.outcome.statistics.transitions, whole.statistics.transitions);
}

// Waits again whenever it has timed out: a search without states would be endless, if time-outs were not bounded.
TEST(AutoStates, TimeoutsWithoutEnd) {
  Script s;
  s.mutexes = s.conditions = 1;
  s.variables = {0};
  auto& waits = s.thread();
  waits.lock(0).load(0, 1).jump_if(1, scripted::Test::NotEqual, 0, 5).timed_wait(0, 0, 0).jump(1).unlock(0);
  s.thread().lock(0).store(0, 1).signal(0).unlock(0);
  Search search;
  search.can_capture = false;
  const auto explored = search.explore(s);
  EXPECT_EQ(explored.outcome.verdict, Verdict::WithinBound);
  EXPECT_EQ(explored.outcome.timeouts, 1u);
  Search unbounded;
  unbounded.can_capture = false;
  unbounded.config.timeouts = 0;
  unbounded.config.timeout_s = 0.5;
  EXPECT_EQ(unbounded.explore(s).outcome.timeouts, std::nullopt);
}

// Thread 0 tries in vain for ever until thread 1 lets it: executions without end, few states, and tries that order nothing.
TEST(AutoStates, ExecutionsWithoutEnd) {
  Script s;
  s.mutexes = 1;
  s.variables = {0};
  s.thread().lock(0).atomic_store(0, 1).unlock(0);
  s.thread().try_lock(0, 0).jump_if(0, scripted::Test::Equal, 0, 0).unlock(0);
  Search search;
  const auto explored = search.explore(s);
  EXPECT_TRUE(explored.stored);
  EXPECT_EQ(explored.outcome.verdict, Verdict::WithinBound);
}

// The same tries without the loop: optimal comes to an end and verifies, which stored states cannot.
TEST(AutoStates, TriesThatOrderNothingAreForOptimal) {
  Script s = counter(2, 3);
  s.mutexes = 1;
  s.threads[0].try_lock(0, 1);
  s.threads[1].try_lock(0, 1);
  Search search;
  const auto explored = search.explore(s);
  EXPECT_FALSE(explored.stored);
  EXPECT_EQ(explored.outcome.verdict, Verdict::Verified);
  EXPECT_TRUE(notes(explored.outcome, "may be missed"));
}

// After which no search that stores states may verify: initialisation comes before, other bytes do not count.
TEST(Tally, PlainAccessAfterSomebodyElsesExchange) {
  Event exchange, read;
  exchange.thread = 1, exchange.op = Op::AtomicCas, exchange.size = 4, exchange.object = 100;
  read.thread = 2, read.op = Op::Read, read.size = 1, read.object = 103;
  Event own = read, elsewhere = read, atomic = read;
  own.thread = 1;
  elsewhere.object = 104;
  atomic.op = Op::AtomicLoad;
  EXPECT_TRUE(exchanges_beside_plain({exchange, read}));
  EXPECT_FALSE(exchanges_beside_plain({read, exchange}));
  for (const Event& other : {own, elsewhere, atomic}) EXPECT_FALSE(exchanges_beside_plain({exchange, other}));
  Request request;
  request.capture = Capture::UntilVisited;
  Trace trace;
  trace.events = {exchange, read};
  trace.states.resize(3);
  Tally tally;
  tally.count(request, trace);
  EXPECT_TRUE(tally.unordered);
}

// A trial that is cut by its own limit has not found all that there is. Seen to fail when it was taken for the end of the search.
TEST(AutoStates, AllBugsAreFound) {
  Script s = counter(3, 2);
  s.threads[0].atomic_load(0, 1).check(1, scripted::Test::NotEqual, 1, 1).check(1, scripted::Test::NotEqual, 2, 2).check(1, scripted::Test::NotEqual, 6, 3).check(1, scripted::Test::NotEqual, 5, 4);
  Search search;
  search.config.stop_at = StopAt::All;
  const auto explored = search.explore(s);
  EXPECT_EQ(explored.outcome.verdict, Verdict::Bug);
  EXPECT_EQ(explored.outcome.findings.size() + explored.others.size(), 4u);
}

TEST(AutoStates, OptionsThatExcludeThem) {
  EXPECT_TRUE(may_store_states({}));
  Config c;
  c.workers = 1;
  EXPECT_FALSE(may_store_states(c));
  c = {};
  c.max_executions = 1000;
  EXPECT_FALSE(may_store_states(c));
  c = {};
  c.preemptions.kind = Preemptions::AtMost;
  EXPECT_FALSE(may_store_states(c));
  c = {};
  c.executor = ExecutorChoice::Fork;
  EXPECT_FALSE(may_store_states(c));
  c = {};
  c.state = wire::StateMode::None;
  EXPECT_FALSE(may_store_states(c));
  c = {};
  c.algorithm = "optimal";
  EXPECT_FALSE(may_store_states(c));
}

}  // namespace
}  // namespace heddle
