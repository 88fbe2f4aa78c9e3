// The reports as users see them, compared with approved files. HEDDLE_APPROVE=1 writes them anew; read the difference.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "replay/sample_test.h"
#include "report/finding_text.h"
#include "report/json_reporter.h"
#include "report/schedule_view.h"
#include "report/text_reporter.h"

namespace heddle {
namespace {

std::string approved_path(const std::string& name) {
  const std::string here = __FILE__;
  return here.substr(0, here.rfind("src/report/")) + "tests/replay/approved/" + name;
}

void expect_approved(const std::string& name, const std::string& text) {
  const std::string path = approved_path(name);
  if (std::getenv("HEDDLE_APPROVE") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(file), {})) << "see " << path;
}

TraceFile race_file() {
  using sample::code, sample::global;
  TraceFile file = sample::abba_file();
  file.trace.end = wire::End::Completed;
  file.trace.pending.clear();
  file.trace.output.clear();
  file.finding.kind = FindingKind::DataRace;
  file.finding.message = "data race: write of 4 bytes by thread 2 and read of 4 bytes by thread 1";
  file.finding.signature = "data-race:m0+210:m0+310";
  file.finding.involved = {{2, "write of 4 bytes", global(80), 4, {code(0x310), code(0x3f0)}},
                           {1, "read of 4 bytes", global(80), 4, {code(0x210), code(0x2f0)}}};
  file.places.names[global(80)] = "from.balance";
  return file;
}

CheckReport bug_report(std::vector<Case> cases) {
  CheckReport report;
  report.program = "./transfer";
  report.outcome.verdict = Verdict::Bug;
  report.outcome.algorithm = "dfs";
  report.outcome.statistics = {.executions = 12, .transitions = 96, .replayed = 40, .max_depth = 14, .threads = 3, .time_s = 0.004, .peak_rss_kb = 5120};
  report.outcome.notes = {"1 thread is never joined"};
  report.cases = std::move(cases);
  return report;
}

std::string text_of(const CheckReport& report, Style style = {}) {
  std::ostringstream out;
  TextReporter(style).write(report, out);
  return out.str();
}

TEST(TextReport, Deadlock) {
  expect_approved("deadlock.txt", text_of(bug_report({{sample::abba_file(), "heddle-transfer-deadlock-1.trace", ""}})));
}

TEST(TextReport, TwoFindingsOneOfThemNotSaved) {
  expect_approved("two_findings.txt", text_of(bug_report({{race_file(), "", "cannot write x: Permission denied; choose a directory"},
                                                          {sample::abba_file(), "heddle-transfer-deadlock-1.trace", ""}})));
}

TEST(TextReport, CleanVerdicts) {
  std::string all;
  for (Verdict verdict : {Verdict::Verified, Verdict::WithinBound, Verdict::Incomplete}) {
    CheckReport report = bug_report({});
    report.outcome.verdict = verdict;
    report.outcome.bounded = verdict == Verdict::WithinBound;
    all += text_of(report);
  }
  CheckReport report = bug_report({});
  report.outcome.verdict = Verdict::WithinBound;
  report.outcome.order_texts = {"store (relaxed) in left at a.c:1 and load (relaxed) in right at a.c:2"};
  all += text_of(report);
  expect_approved("clean.txt", all);
}

CheckReport doubtful_report(Verdict verdict) {
  CheckReport report = bug_report({});
  report.outcome.verdict = verdict;
  for (int i = 1; i <= 12; ++i) report.outcome.uncovered.push_back({i % 2 ? "access" : "call", "f", fmt::format("a.c:{}", i), "no row", i % 3 + 1u});
  report.outcome.vacuous = "only one thread ever ran";
  return report;
}

TEST(TextReport, VerdictsThatSayLess) {
  CheckReport unknown = doubtful_report(Verdict::Unknown);
  TraceFile race = race_file();
  race.finding.maybe_ordered_by = "libfoo.so";
  unknown.unknown.push_back({race, "a.trace", ""});
  CheckReport vacuous = doubtful_report(Verdict::Verified);
  vacuous.outcome.uncovered.clear();
  expect_approved("doubtful.txt", text_of(doubtful_report(Verdict::WithinBound)) + text_of(unknown) + text_of(vacuous));
}

TEST(TextReport, ColoursOnlyWhenAsked) {
  const CheckReport report = bug_report({{race_file(), "a.trace", ""}});
  EXPECT_EQ(text_of(report).find('\033'), std::string::npos);
  EXPECT_NE(text_of(report, Style{true, 100}).find("\033[1;31mBUG\033[0m"), std::string::npos);
}

TEST(JsonReport, IsSchema2) {
  std::ostringstream out;
  JsonReporter().write(bug_report({{race_file(), "a.trace", ""}}), out);
  expect_approved("race.json", out.str());
  const nlohmann::json document = nlohmann::json::parse(out.str());
  for (const char* key : {"schema", "verdict", "algorithm", "executions", "blocked", "transitions", "replayed", "states", "revisits",
                          "max_depth", "threads", "time_s", "peak_rss_kb", "findings", "unknown", "uncovered", "assumes", "vacuous"})
    EXPECT_TRUE(document.contains(key)) << key;
  EXPECT_EQ(document["findings"][0]["locations"][1]["line"], 11);
}

TEST(JsonReport, SurvivesBytesThatAreNoText) {
  TraceFile trace = race_file();
  trace.finding.message = "assertion failed: \xff\xfe";
  std::ostringstream out;
  JsonReporter().write(bug_report({{trace, "a.trace", ""}}), out);
  EXPECT_FALSE(nlohmann::json::parse(out.str(), nullptr, false).is_discarded());
}

TEST(JsonReport, AnUnwritableFileIsOneClearLine) {
  Status status = write_json(bug_report({}), "/nonexistent/folder/out.json");
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().what.find("/nonexistent/folder/out.json"), std::string::npos);
}

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

TEST(ScheduleView, FitsTheWidthAndBecomesAListWhenNarrow) {
  const std::vector<ScheduleRow> rows = whole_schedule(sample::abba_file());
  for (int width : {200, 120, 100, 80, 72}) {
    const std::string table = draw(rows, Style{false, width}, "  ");
    EXPECT_NE(table.find("step"), std::string::npos) << width;
    EXPECT_LE(longest_line(table), static_cast<std::size_t>(width)) << table;
  }
  const std::string list = draw(rows, Style{false, 40}, "  ");
  EXPECT_EQ(list.find("step"), std::string::npos);
  EXPECT_NE(list.find("thread 1\n"), std::string::npos);
  expect_approved("schedule_80.txt", draw(rows, Style{false, 80}, "  "));
  expect_approved("schedule_list.txt", list);
}

TEST(ScheduleView, FoldsWhatConcernsOneThreadAlone) {
  TraceFile trace = sample::abba_file();
  for (int i = 0; i < 20; ++i)
    trace.trace.events.insert(trace.trace.events.begin() + 3, sample::event(1, Op::AtomicLoad, sample::global(200), sample::code(0x220)));
  trace.finding.step = static_cast<std::uint32_t>(trace.trace.events.size());
  const std::vector<ScheduleRow> rows = whole_schedule(trace);
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](const ScheduleRow& r) { return r.kind == ScheduleRow::Folded; }), 1);
  EXPECT_EQ(rows.size(), 3u + 1 + 1 + 3) << "create, create, lock, folded, lock, and three stuck threads";
}

TEST(FindingText, OutputIsCutAndCannotDriveTheTerminal) {
  TraceFile trace = sample::abba_file();
  trace.trace.output = "one\ntwo\n\033[2Jthree";
  EXPECT_EQ(output_text(trace, Style{}, 2), "  The program printed (last 2 of 3 lines):\n  | two\n  | ?[2Jthree\n");
  trace.trace.output.clear();
  EXPECT_EQ(output_text(trace, Style{}, 2), "");
}

}  // namespace
}  // namespace heddle
