// What the balancer's process makes of what workers say. The worker is written by hand, and the program is a script with one failing assertion.
#include "dist/distributed_search.h"

#include <gtest/gtest.h>

#include <deque>

#include "detect/finding.h"
#include "dist/queued_program_test.h"
#include "explore/reduction/optimal.h"

namespace heddle {
namespace {

// One worker, which answers each unit in its turn; what it says next may depend on what it has been told.
class WrittenCrew final : public Crew {
 public:
  using Answer = std::function<Report(const std::vector<Command>& told)>;

  std::vector<int> workers() const override { return {1}; }
  void send(int, const Bytes& message) override { told_.push_back(from_bytes<Command>(message).value()); }
  Arrival receive(int, bool) override {
    if (answers.empty()) return {};
    const Report report = answers.front()(told_);
    answers.pop_front();
    return {Arrival::Kind::Message, 1, to_bytes(report), false};
  }
  std::optional<int> replace(int) override { return std::nullopt; }

  std::deque<Answer> answers;

 private:
  std::vector<Command> told_;
};

Report about(const Command& command) {
  Report report;
  report.id = command.id;
  report.order = command.order;
  return report;
}

Report whole(const Command& command) {
  Report report = about(command);
  report.finished = true;
  report.settled.executions = 1;
  return report;
}

// The search will start over.
Report cut_by_steps(const Command& command) {
  Report report = about(command);
  report.unsettled.hit_step_limit = true;
  return report;
}

Report suspecting(Report report, const Suspect& suspect) {
  report.suspects.push_back(suspect);
  return report;
}

const Command& last_unit(const std::vector<Command>& told) {
  return *std::find_if(told.rbegin(), told.rend(), [](const Command& c) { return c.kind == Command::Kind::Explore; });
}

// One thread writes, another one does not expect that.
scripted::Script unexpected_write() {
  scripted::Script s;
  s.variables = {0};
  s.thread().atomic_store(0, 1);
  s.thread().atomic_load(0, 0).check(0, scripted::Test::Equal, 0, 7);
  return s;
}

class Judging : public testing::Test {
 protected:
  Judging() : script_(unexpected_write()), program_(script_), failing_(failing_run()) { config_.stop_at = StopAt::All; }

  // As a worker would tell of it.
  Suspect failing_run() {
    Optimal optimal;
    scripted::ScriptedProgram program(script_);
    while (const auto request = optimal.next()) {
      const Trace trace = program.run(*request).value();
      const std::vector<Finding> findings = detect(trace);
      if (!findings.empty()) return {choices_of(trace), findings.front().signature, 0};
      optimal.learn(*request, trace);
    }
    ADD_FAILURE() << "nothing fails";
    return {};
  }

  // The other order: nothing fails.
  Suspect harmless() const {
    Suspect suspect = failing_;
    std::reverse(suspect.choices.begin(), suspect.choices.end());
    return suspect;
  }

  Outcome explore(const std::optional<Checkpoint>& from = {}) {
    Patience patience(10);
    ProgressMeter meter(stderr, ProgressMeter::Style::None);
    DistributedSearch search(config_, program_, crew_, patience, meter, {"optimal", "source", true, {}});
    if (from) {
      EXPECT_TRUE(search.resume(*from));
    }
    return search.explore();
  }

  scripted::Script script_;
  QueuedProgram program_;
  WrittenCrew crew_;
  Config config_;
  const Suspect failing_;
};

TEST_F(Judging, WhatAWorkerHasFoundIsRunAgainAndShown) {
  crew_.answers.push_back([&](const auto& told) { return suspecting(whole(told.front()), failing_); });
  const Outcome outcome = explore();
  EXPECT_EQ(outcome.verdict, Verdict::Bug);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].finding.signature, failing_.signature);
}

// Of a unit that no longer counts, too: the program has such a place all the same.
TEST_F(Judging, WhatWorkersDoNotSeeIsInTheVerdict) {
  const UncoveredNote note{wire::UncoveredKind::Call, 0, "frobnicate", "no row"};
  crew_.answers.push_back([](const auto& told) { return cut_by_steps(told.front()); });
  crew_.answers.push_back([&](const auto& told) {
    Report report = about(told.front());
    report.uncovered = {note};
    return report;
  });
  crew_.answers.push_back([&](const auto& told) {
    Report report = whole(last_unit(told));
    report.uncovered = {note, {wire::UncoveredKind::Code, 7, "", "cannot be followed"}};
    return report;
  });
  const Outcome outcome = explore();
  EXPECT_EQ(outcome.verdict, Verdict::WithinBound);
  EXPECT_EQ(outcome.uncovered_notes.size(), 2u);
}

// A bug that was seen and cannot be shown is never passed over in silence.
TEST_F(Judging, WhatDoesNotShowAgainIsNondeterminism) {
  crew_.answers.push_back([&](const auto& told) { return suspecting(whole(told.front()), harmless()); });
  const Outcome outcome = explore();
  EXPECT_EQ(outcome.verdict, Verdict::Error);
  EXPECT_EQ(outcome.error.code, ExitCode::Nondeterminism);
}

// Its worker made it before it heard that the search starts over. Perhaps nobody makes such a run again.
TEST_F(Judging, WhatWasFoundInARunThatNoLongerCountsIsShown) {
  crew_.answers.push_back([](const auto& told) { return cut_by_steps(told.front()); });
  crew_.answers.push_back([&](const auto& told) { return suspecting(about(told.front()), failing_); });
  crew_.answers.push_back([](const auto& told) { return whole(last_unit(told)); });
  const Outcome outcome = explore();
  EXPECT_EQ(outcome.verdict, Verdict::Bug);
  EXPECT_EQ(outcome.findings.size(), 1u);
}

// Neither that of a worker that calls threads by other numbers than everybody else: it will tell it again.
TEST_F(Judging, WhatDoesNotShowAndDoesNotCountIsPassedOver) {
  crew_.answers.push_back([](const auto& told) { return cut_by_steps(told.front()); });
  crew_.answers.push_back([&](const auto& told) { return suspecting(about(told.front()), harmless()); });
  crew_.answers.push_back([](const auto& told) { return whole(last_unit(told)); });
  const Outcome outcome = explore();
  EXPECT_EQ(outcome.verdict, Verdict::Verified) << outcome.error.what;
  EXPECT_TRUE(outcome.findings.empty());
}

// --- bounds on preemptions that grow ---------------------------------------------------------------------------------

Report whole_but_for_preemptions(const Command& command) {
  Report report = whole(command);
  report.settled.left_out_for_preemptions = true;
  return report;
}

TEST_F(Judging, ABoundGrowsUntilNothingIsLeftOut) {
  config_.preemptions.kind = Preemptions::Growing;
  std::vector<std::uint32_t> bounds;
  auto note_bound = [&](const auto& told) { bounds.push_back(last_unit(told).terms.preemptions); };
  for (int i = 0; i < 2; ++i)
    crew_.answers.push_back([&](const auto& told) { return note_bound(told), whole_but_for_preemptions(last_unit(told)); });
  crew_.answers.push_back([&](const auto& told) { return note_bound(told), whole(last_unit(told)); });
  const Outcome outcome = explore();
  EXPECT_EQ(outcome.verdict, Verdict::Verified) << outcome.error.what;
  EXPECT_EQ(outcome.statistics.executions, 3u) << "what was done with smaller bounds counts";
  EXPECT_EQ(bounds, (std::vector<std::uint32_t>{0, 1, 2}));
}

// A bug was found in the last run of an iteration, and the search ended with it.
TEST_F(Judging, ASearchThatEndedBetweenTwoBoundsGoesOnWithTheNext) {
  config_.preemptions.kind = Preemptions::Growing;
  std::optional<Command> given;
  Balancer balancer([&](int, const Command& c) { if (c.kind == Command::Kind::Explore) given = c; }, std::nullopt, std::make_unique<Trunk>(Trunk::Sleep::No));
  balancer.join(1);
  balancer.take(1, whole_but_for_preemptions(given.value()));
  ASSERT_TRUE(balancer.finished());
  Checkpoint checkpoint;
  checkpoint.search = balancer.save();
  crew_.answers.push_back([](const auto& told) { return whole(last_unit(told)); });
  const Outcome outcome = explore(checkpoint);
  EXPECT_EQ(outcome.verdict, Verdict::Verified) << outcome.error.what;
  EXPECT_EQ(outcome.statistics.executions, 2u);
  ASSERT_TRUE(outcome.preemptions.has_value());
  EXPECT_EQ(outcome.preemptions->most, 1u);
}

}  // namespace
}  // namespace heddle
