// The search loop and its verdicts, on programs made of nothing but steps.
#include "explore/explorer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "explore/reduction/bounds.h"
#include "explore/reduction/dfs.h"
#include "explore/reduction/registry.h"
#include "explore/tiny_program_test.h"

namespace heddle {
namespace {

Outcome explore(Program& program, const Config& config) {
  Patience patience(config.timeout_s);
  ProgressMeter meter(stderr, ProgressMeter::Style::None);
  Explorer explorer(
      config, program, [&] { return make_reduction(*find_algorithm(config.algorithm), config); }, patience, meter);
  return explorer.explore();
}

Config with(const std::string& algorithm) {
  Config config;
  config.algorithm = algorithm;
  return config;
}

std::string order_of(const Trace& trace) {
  std::string text;
  for (const Event& e : trace.events) {
    text += static_cast<char>('a' + e.thread);
    text += static_cast<char>('0' + e.alternative);
  }
  return text;
}

wire::Report report_of(wire::ReportKind kind, std::uint64_t pc) {
  wire::Report r;
  r.kind = kind;
  r.thread = 1;
  r.other_thread = 0;
  r.size = r.other_size = 4;
  r.address = wire::make_address(wire::Region::Module, 0, 0x9000);
  r.pc = wire::make_address(wire::Region::Module, 0, pc);
  return r;
}

// An assertion that fails when thread 1 finishes first.
void fails_if_one_wins(Trace& t) {
  if (t.events.empty() || t.end != wire::End::Completed || t.events.back().thread == 1) return;
  t.end = wire::End::Stopped;
  t.reports.push_back(report_of(wire::ReportKind::Assertion, 0x42));
}

TEST(Dfs, VisitsEveryInterleavingOnce) {
  TinyProgram program({3, 2, 2});
  std::set<std::string> orders;
  program.at_end = [&](Trace& t) { orders.insert(order_of(t)); };
  const Outcome outcome = explore(program, with("dfs"));
  EXPECT_EQ(outcome.verdict, Verdict::Verified);
  EXPECT_EQ(orders.size(), 210u);  // 7! / (3! 2! 2!)
  EXPECT_EQ(outcome.statistics.executions, 210u);
  EXPECT_EQ(outcome.statistics.max_depth, 7u);
  EXPECT_EQ(outcome.statistics.threads, 3u);
  EXPECT_EQ(outcome.statistics.transitions + outcome.statistics.replayed, 210u * 7);
}

TEST(Dfs, VisitsEveryAlternative) {
  TinyProgram program({1, 1});
  program.alternatives = [](int thread, int) { return thread == 0 ? 3 : 2; };
  std::set<std::string> orders;
  program.at_end = [&](Trace& t) { orders.insert(order_of(t)); };
  EXPECT_EQ(explore(program, with("dfs")).verdict, Verdict::Verified);
  EXPECT_EQ(orders.size(), 12u);  // 2 orders, 3 × 2 alternatives
  EXPECT_EQ(program.runs, 12);
}

TEST(Dfs, RunThatLostItsStepsDoesNotEndTheSearch) {
  TinyProgram program({2, 2});
  int died = 0;
  program.at_end = [&](Trace& t) {
    if (order_of(t).substr(0, 4) != "b0a0") return;
    ++died;
    t.events.clear();
    t.end = wire::End::Died;
    t.exit_status = 9;
  };
  Config config = with("dfs");
  config.stop_at = StopAt::All;
  const Outcome outcome = explore(program, config);
  EXPECT_EQ(outcome.verdict, Verdict::Bug);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_GE(died, 2);                                         // found, and confirmed
  EXPECT_FALSE(outcome.findings[0].finding.choices.empty());  // the schedule that was asked for, at least
}

TEST(Dfs, EmptyProgram) {
  TinyProgram program({});
  const Outcome outcome = explore(program, with("dfs"));
  EXPECT_EQ(outcome.verdict, Verdict::Verified);
  EXPECT_EQ(outcome.statistics.executions, 1u);
}

TEST(Random, IsAFunctionOfItsSeed) {
  auto orders = [](std::uint64_t seed) {
    TinyProgram program({4, 4});
    std::vector<std::string> seen;
    program.at_end = [&](Trace& t) { seen.push_back(order_of(t)); };
    Config config = with("random");
    config.seed = seed;
    config.max_executions = 20;
    EXPECT_EQ(explore(program, config).verdict, Verdict::Incomplete);
    return seen;
  };
  EXPECT_EQ(orders(1), orders(1));
  EXPECT_NE(orders(1), orders(2));
  EXPECT_EQ(orders(1).size(), 20u);
}

TEST(Random, KeepsTheProgramBusy) {
  TinyProgram program({2, 2});
  Config config = with("random");
  config.max_executions = 50;
  explore(program, config);
  EXPECT_EQ(program.most_in_flight, program.capacity());
  EXPECT_EQ(program.runs, 50);
}

TEST(Explorer, FindsConfirmsAndStopsAtTheFirst) {
  TinyProgram program({2, 2});
  program.at_end = fails_if_one_wins;
  const Outcome outcome = explore(program, with("dfs"));
  EXPECT_EQ(outcome.verdict, Verdict::Bug);
  EXPECT_EQ(exit_code(outcome), ExitCode::Bug);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].finding.kind, FindingKind::Assertion);
  EXPECT_EQ(outcome.findings[0].trace.events.back().thread, 0);
  EXPECT_LT(outcome.statistics.executions, 6u);
}

TEST(Explorer, AllFindingsAreDistinct) {
  TinyProgram program({2, 2});
  program.at_end = [](Trace& t) {
    if (t.end == wire::End::Completed)
      t.reports.push_back(report_of(wire::ReportKind::LockMisuse, 0x50u + t.events.back().thread));
  };
  Config config = with("dfs");
  config.stop_at = StopAt::All;
  const Outcome outcome = explore(program, config);
  EXPECT_EQ(outcome.findings.size(), 2u);
  EXPECT_EQ(outcome.statistics.executions, 6u);
}

TEST(Explorer, FindingInThePipelineIsConfirmedAndNothingIsLost) {
  TinyProgram program({3, 3});
  program.at_end = fails_if_one_wins;
  Config config = with("random");
  config.stop_at = StopAt::All;
  config.max_executions = 100;
  const Outcome outcome = explore(program, config);
  EXPECT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.statistics.executions, 100u);
}

TEST(Explorer, FindingThatDoesNotComeBackIsNondeterminism) {
  TinyProgram program({2, 2});
  program.at_end = [&](Trace& t) {
    if (program.runs == 3) t.reports.push_back(report_of(wire::ReportKind::Assertion, 0x42));
  };
  const Outcome outcome = explore(program, with("dfs"));
  EXPECT_EQ(outcome.verdict, Verdict::Error);
  EXPECT_EQ(exit_code(outcome), ExitCode::Nondeterminism);
}

TEST(Explorer, PrefixThatRunsDifferentlyIsNondeterminism) {
  TinyProgram program({2, 2});
  program.pc_shift = [](int run) { return run == 4 ? 0x100u : 0u; };
  const Outcome outcome = explore(program, with("dfs"));
  EXPECT_EQ(exit_code(outcome), ExitCode::Nondeterminism);
  EXPECT_NE(outcome.error.what.find("step 1"), std::string::npos);
}

TEST(Explorer, RunLimit) {
  TinyProgram program({2, 2});
  Config config = with("dfs");
  config.max_executions = 5;
  EXPECT_EQ(explore(program, config).verdict, Verdict::Incomplete);
  TinyProgram again({2, 2});
  config.max_executions = 6;  // exactly what there is
  const Outcome outcome = explore(again, config);
  EXPECT_EQ(outcome.verdict, Verdict::Verified);
  EXPECT_EQ(outcome.statistics.executions, 6u);
}

// aabb and bbaa need no preemption, abba and baab one, abab and baba two.
TEST(Explorer, PreemptionsAreBounded) {
  const std::size_t executions[] = {2, 4, 6, 6};
  for (std::uint32_t most = 0; most < 4; ++most) {
    TinyProgram program({2, 2});
    Config config = with("dfs");
    config.preemptions = {Preemptions::AtMost, most};
    const Outcome outcome = explore(program, config);
    EXPECT_EQ(outcome.verdict, Verdict::WithinBound) << most;  // also where nothing was left out: that is for the iteration to say
    EXPECT_EQ(outcome.statistics.executions, executions[most]) << most;
    ASSERT_TRUE(outcome.preemptions);
    EXPECT_EQ(outcome.preemptions->most, most);
    EXPECT_EQ(outcome.preemptions->cut, most < 2);
  }
}

TEST(Explorer, GrowingBoundEndsWhereNothingIsLeftOut) {
  TinyProgram program({2, 2});
  Config config = with("dfs");
  config.preemptions.kind = Preemptions::Growing;
  const Outcome outcome = explore(program, config);
  EXPECT_EQ(outcome.verdict, Verdict::Verified);
  EXPECT_EQ(outcome.statistics.executions, 2u + 4 + 6);
  EXPECT_EQ(outcome.preemptions->most, 2u);
}

TEST(Explorer, GrowingBoundThatIsStoppedSaysHowFarItCame) {
  TinyProgram program({2, 2});
  Config config = with("dfs");
  config.preemptions.kind = Preemptions::Growing;
  config.max_executions = 7;
  const Outcome outcome = explore(program, config);
  EXPECT_EQ(outcome.verdict, Verdict::Incomplete);
  EXPECT_EQ(outcome.preemptions->most, 2u);
  ASSERT_FALSE(outcome.notes.empty());
  EXPECT_NE(outcome.notes.back().find("everything with at most 1 preemption was explored"), std::string::npos);
}

TEST(Explorer, GrowingBoundTellsHowFewPreemptionsABugNeeds) {
  TinyProgram program({2, 2});
  program.at_end = [](Trace& t) {
    if (order_of(t) != "b0a0a0b0") return;
    t.end = wire::End::Stopped;
    t.reports.push_back(report_of(wire::ReportKind::Assertion, 0x42));
  };
  Config config = with("dfs");
  config.preemptions.kind = Preemptions::Growing;
  const Outcome outcome = explore(program, config);
  EXPECT_EQ(outcome.verdict, Verdict::Bug);
  ASSERT_FALSE(outcome.notes.empty());
  EXPECT_NE(outcome.notes.front().find("1 preemption suffice"), std::string::npos);
}

TEST(Explorer, TimeLimit) {
  TinyProgram program({8, 8});
  Config config = with("dfs");
  config.timeout_s = 0.0;
  const Outcome outcome = explore(program, config);
  EXPECT_EQ(outcome.verdict, Verdict::Incomplete);
  EXPECT_EQ(exit_code(outcome), ExitCode::Incomplete);
}

// Owes one run, and thinks for ever where it is told to.
class Thinker final : public Reduction {
 public:
  enum class In { Learn, Next };
  explicit Thinker(In where) : where_(where) {}
  std::string_view name() const override { return "thinker"; }
  void heed(const StopPoll& poll) override { poll_ = poll; }
  std::optional<Request> next() override {
    if (!std::exchange(asked_, true)) return Request{};
    if (where_ == In::Next) think();
    return std::nullopt;
  }
  void learn(const Request&, const Trace&) override {
    if (where_ == In::Learn) think();
  }

 private:
  [[noreturn]] void think() {
    for (;;) poll_.ask();
  }
  const In where_;
  bool asked_ = false;
  StopPoll poll_;
};

Outcome explore_thinking(Thinker::In where, std::optional<std::uint64_t> max_executions) {
  TinyProgram program({1, 1});
  Config config;
  config.timeout_s = 0.05;
  config.max_executions = max_executions;
  Patience patience(config.timeout_s);
  ProgressMeter meter(stderr, ProgressMeter::Style::None);
  return Explorer(config, program, [&] { return std::make_unique<Thinker>(where); }, patience, meter).explore();
}

// Seen to hang where the explorer did not hand its patience over, and to be verified where an abandoned next() counted as one that owes nothing.
TEST(Explorer, TimeIsOverWhileTheReductionThinks) {
  EXPECT_EQ(explore_thinking(Thinker::In::Learn, {}).verdict, Verdict::Incomplete);
  EXPECT_EQ(explore_thinking(Thinker::In::Next, {}).verdict, Verdict::Incomplete);
  EXPECT_EQ(explore_thinking(Thinker::In::Next, 1).verdict, Verdict::Incomplete);  // asked whether the last run allowed was the last one owed
}

TEST(Explorer, StepLimitIsAtBestWithinBound) {
  TinyProgram program({2, 2});
  program.at_end = [](Trace& t) {
    if (t.events.size() == 4) t.end = wire::End::StepLimit;
  };
  const Outcome outcome = explore(program, with("dfs"));
  EXPECT_EQ(outcome.verdict, Verdict::WithinBound);
  EXPECT_EQ(exit_code(outcome), ExitCode::Ok);
  EXPECT_EQ(outcome.notes.size(), 1u);
}

TEST(Explorer, IgnoredRacesAreNotVerified) {
  TinyProgram program({1, 1});
  program.at_end = [](Trace& t) { t.reports.push_back(report_of(wire::ReportKind::DataRace, 0x42)); };
  Config config = with("dfs");
  config.races = Races::Ignore;
  const Outcome outcome = explore(program, config);
  EXPECT_EQ(outcome.verdict, Verdict::WithinBound);
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_EQ(outcome.notes.size(), 1u);
}

TEST(Explorer, ExploredRaceBecomesVisibleAndTheSearchGoesOn) {
  TinyProgram program({2, 2});
  program.at_end = [&](Trace& t) {
    t.reports.push_back(report_of(wire::ReportKind::DataRace, 0x42));
    if (!program.visible.empty()) fails_if_one_wins(t);  // a bug behind the race
  };
  Config config = with("dfs");
  config.races = Races::Explore;
  const Outcome outcome = explore(program, config);
  EXPECT_EQ(outcome.verdict, Verdict::Bug);
  EXPECT_EQ(program.visible.size(), 1u);
  ASSERT_EQ(outcome.findings.size(), 2u);
  EXPECT_EQ(outcome.findings[0].finding.kind, FindingKind::DataRace);
  EXPECT_EQ(outcome.findings[1].finding.kind, FindingKind::Assertion);
}

wire::Report race_perhaps_ordered_by(const std::string& library) {
  wire::Report r = report_of(wire::ReportKind::DataRace, 0x42);
  r.text_length = static_cast<std::uint16_t>(library.copy(r.text, sizeof r.text));
  return r;
}

TEST(Explorer, ARaceThatUnseenCodeMayOrderIsUnknownAndTheSearchGoesOn) {
  TinyProgram program({2, 2});
  program.at_end = [](Trace& t) { t.reports.push_back(race_perhaps_ordered_by("libfoo.so")); };
  const Outcome outcome = explore(program, with("dfs"));
  EXPECT_EQ(outcome.verdict, Verdict::Unknown);
  EXPECT_EQ(outcome.statistics.executions, 6u);
  EXPECT_TRUE(outcome.findings.empty());
  ASSERT_EQ(outcome.unknown.size(), 1u);
  EXPECT_EQ(outcome.unknown[0].finding.maybe_ordered_by, "libfoo.so");
}

// At the same two places.
TEST(Explorer, ARaceThatNothingOrdersIsABugBesideOneThatUnseenCodeMayOrder) {
  TinyProgram program({1, 1});
  program.at_end = [](Trace& t) {
    const bool perhaps = t.events.front().thread == 0;
    t.reports.push_back(perhaps ? race_perhaps_ordered_by("libfoo.so") : report_of(wire::ReportKind::DataRace, 0x42));
  };
  const Outcome outcome = explore(program, with("dfs"));
  EXPECT_EQ(outcome.verdict, Verdict::Bug);
  EXPECT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.unknown.size(), 1u);
}

TEST(Explorer, WhatIsNotSeenIsInTheOutcome) {
  TinyProgram program({1, 1});
  program.notes = {{wire::UncoveredKind::Access, 5, "", "inline assembly"}};
  const Outcome outcome = explore(program, with("dfs"));
  EXPECT_EQ(outcome.verdict, Verdict::WithinBound);
  EXPECT_EQ(outcome.uncovered_notes, program.notes);
}

TEST(Explorer, AllowedExitIsNoFinding) {
  TinyProgram program({1, 1});
  program.at_end = [](Trace& t) { t.exit_status = 3; };
  Config config = with("dfs");
  EXPECT_EQ(explore(program, config).verdict, Verdict::Bug);
  config.allowed_exits = {3};
  EXPECT_EQ(explore(program, config).verdict, Verdict::Verified);
}

TEST(Explorer, UnsupportedCallEndsTheSearch) {
  TinyProgram program({1, 1});
  program.at_end = [](Trace& t) {
    t.end = wire::End::Unsupported;
    wire::Report r = report_of(wire::ReportKind::Unsupported, 0x42);
    std::strcpy(r.text, "pthread_cancel");
    r.text_length = 14;
    t.reports = {r};
  };
  const Outcome outcome = explore(program, with("dfs"));
  EXPECT_EQ(exit_code(outcome), ExitCode::Unsupported);
  EXPECT_NE(outcome.error.what.find("pthread_cancel"), std::string::npos);
}

TEST(Explorer, NotesAreSaidOnce) {
  TinyProgram program({2, 2});
  program.at_end = [](Trace& t) { t.unjoined = 1; };
  const Outcome outcome = explore(program, with("dfs"));
  EXPECT_EQ(outcome.verdict, Verdict::Verified);
  EXPECT_EQ(outcome.notes.size(), 1u);
}

TEST(Registry, SuggestsTheNearestName) {
  EXPECT_TRUE(find_algorithm("random").ok());
  const auto wrong = find_algorithm("radnom");
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().next.find("random"), std::string::npos);
  EXPECT_EQ(wrong.error().code, ExitCode::Usage);
}

TEST(ProgressText, SaysWhatIsKnown) {
  Statistics s;
  s.executions = 12345;
  EXPECT_EQ(progress_text(s, {}, 411234), "12,345 runs (410,000/s)");
  EXPECT_EQ(progress_text(s, {2e6, 14, 26}, 50), "12,345 runs (50/s), depth 26, 14 pending, about 2,000,000 in all, 11 h left");
  s.states = 7000, s.revisits = 1000;
  EXPECT_EQ(progress_text(s, {}, 0), "13,345 runs (0/s), 7,000 states");
  EXPECT_EQ(rough_time(42.4), "42 s");
  EXPECT_EQ(rough_time(1000), "17 min");
  EXPECT_EQ(rough_time(2e6), "23 days");
}

}  // namespace
}  // namespace heddle
