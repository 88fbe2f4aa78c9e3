#include "replay/confirm.h"

#include <gtest/gtest.h>

#include "replay/sample_test.h"
#include "replay/shorten.h"

namespace heddle {
namespace {

using sample::code;
using sample::event;
using sample::FunctionProgram;
using sample::global;

TEST(Confirm, AFindingThatComesBackHasFullStacks) {
  FunctionProgram program([](const Request& request) {
    EXPECT_TRUE(request.detail);
    EXPECT_TRUE(request.keep_output);
    return sample::abba_trace();
  });
  const Finding seen = detect(sample::abba_trace()).at(0);
  Result<Confirmed> confirmed = confirm_run(program, seen, sample::abba_trace().events);
  ASSERT_TRUE(confirmed.ok()) << confirmed.error().what;
  EXPECT_EQ(confirmed->finding.kind, FindingKind::Deadlock);
  EXPECT_EQ(confirmed->finding.signature, seen.signature);
  EXPECT_EQ(confirmed->trace.output, "starting\n");
}

TEST(Confirm, ARaceIsRunAgainWatchingItsAddress) {
  Finding race;
  race.kind = FindingKind::DataRace;
  race.involved = {{1, "write of 4 bytes", global(80), 4, {code(0x10)}}};
  const Request request = detailed_request(race);
  EXPECT_EQ(request.watch, global(80));
  EXPECT_EQ(request.watch_size, 4u);
}

TEST(Confirm, AFindingThatStaysAwayIsNondeterminism) {
  FunctionProgram program([](const Request&) {
    Trace trace = sample::abba_trace();
    trace.end = wire::End::Completed;
    trace.pending.clear();
    trace.events[3].pc = code(0x999);
    return trace;
  });
  const Finding seen = detect(sample::abba_trace()).at(0);
  Result<Finding> confirmed = confirm(program, seen, sample::abba_trace().events);
  ASSERT_FALSE(confirmed.ok());
  EXPECT_EQ(confirmed.error().code, ExitCode::Nondeterminism);
  EXPECT_NE(confirmed.error().what.find("step 4"), std::string::npos) << confirmed.error().what;
  EXPECT_NE(confirmed.error().what.find("likely cause"), std::string::npos);
}

struct DivergenceCase {
  const char* name;
  std::function<void(Trace&)> change;
  Cause cause;
  std::size_t step;
};

TEST(Divergence, TheFirstDifferenceSaysWhatToSuspect) {
  const Trace recorded = sample::abba_trace();
  const DivergenceCase cases[] = {
      {"same", [](Trace&) {}, Cause::SameOperations, 4},
      {"thread", [](Trace& t) { t.events[2].thread = 2; }, Cause::NotEnabled, 2},
      {"code", [](Trace& t) { t.events[1].pc = code(0x777); }, Cause::ControlFlow, 1},
      {"object", [](Trace& t) { t.events[3].object = global(96); }, Cause::Object, 3},
      {"foreign", [](Trace& t) { t.events[3].object = wire::make_address(wire::Region::Other, 0, 1); }, Cause::Foreign, 3},
      {"outcome", [](Trace& t) { t.events[2].outcome = 1; }, Cause::Outcome, 2},
      {"short", [](Trace& t) { t.events.resize(2); }, Cause::EndedEarly, 2},
      {"diverged", [](Trace& t) { t.events.resize(2), t.end = wire::End::Diverged; }, Cause::NotEnabled, 2},
  };
  for (const DivergenceCase& c : cases) {
    Trace again = recorded;
    c.change(again);
    const Divergence divergence = compare_runs(recorded.events, again);
    EXPECT_EQ(divergence.cause, c.cause) << c.name;
    EXPECT_EQ(divergence.step, c.step) << c.name;
    EXPECT_EQ(describe(divergence).find('\n'), std::string::npos);
  }
}

// Two threads of four steps each on objects of their own; thread 1's second step before thread 2's last one is a "bug"
// (a crash). The program finishes lowest thread first.
Trace crash_if_second_before_fourth(const Request& request) {
  Trace trace;
  trace.threads = 3;
  int done[3] = {0, 0, 0};
  auto enabled = [&](int t) { return done[t] < 4; };
  int last = 1;
  while (enabled(1) || enabled(2)) {
    int t = enabled(last) ? last : 3 - last;
    if (trace.events.size() < request.prefix.size()) t = request.prefix[trace.events.size()].thread;
    if (t < 1 || t > 2 || !enabled(t)) {
      trace.end = wire::End::Diverged;
      return trace;
    }
    Event e = event(t, Op::AtomicStore, global(static_cast<std::uint64_t>(t) * 8), code(static_cast<std::uint64_t>(t * 16 + done[t])));
    for (int other : {1, 2})
      if (enabled(other)) e.enabled.add(other);
    trace.events.push_back(e);
    last = t;
    ++done[t];
    if (done[1] == 2 && done[2] == 2) {
      trace.end = wire::End::Stopped;
      wire::Report report;
      report.kind = wire::ReportKind::Crash;
      report.signal = 11;
      report.thread = static_cast<std::uint8_t>(t);
      report.step = static_cast<std::uint32_t>(trace.events.size());
      report.pc = code(0x500);
      trace.reports.push_back(report);
      return trace;
    }
  }
  return trace;
}

TEST(Shorten, FewerPreemptionsAndStillTheSameBug) {
  FunctionProgram program(crash_if_second_before_fourth);
  Request first;
  first.prefix = {{1, 0}, {2, 0}, {1, 0}, {2, 0}};
  Result<Trace> seen = program.run(first);
  ASSERT_TRUE(seen.ok());
  Finding finding = detect(*seen).at(0);
  Result<Confirmed> confirmed = confirm_run(program, finding, seen->events);
  ASSERT_TRUE(confirmed.ok()) << confirmed.error().what;
  EXPECT_EQ(schedule_cost(confirmed->trace.events).preemptions, 3);

  const Confirmed shorter = shorten(program, *confirmed);
  EXPECT_EQ(schedule_cost(shorter.trace.events).preemptions, 1);
  EXPECT_TRUE(same_bug(shorter.finding, confirmed->finding));
  Result<Confirmed> again = confirm_run(program, shorter.finding, shorter.trace.events);
  EXPECT_TRUE(again.ok());
}

TEST(Shorten, StaysWithinItsRuns) {
  FunctionProgram program(crash_if_second_before_fourth);
  Request first;
  first.prefix = {{1, 0}, {2, 0}, {1, 0}, {2, 0}};
  Result<Trace> seen = program.run(first);
  Result<Confirmed> confirmed = confirm_run(program, detect(*seen).at(0), seen->events);
  ASSERT_TRUE(confirmed.ok());
  program.runs = 0;
  const Confirmed same = shorten(program, *confirmed, ShortenLimits{1, std::chrono::milliseconds(10'000)});
  EXPECT_LE(program.runs, 1);
  EXPECT_TRUE(same_bug(same.finding, confirmed->finding));
}

}  // namespace
}  // namespace heddle
