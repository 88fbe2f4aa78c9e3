// Which word wins, and which exit code goes with it.
#include "explore/outcome.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

Outcome with(Verdict verdict) {
  Outcome outcome;
  outcome.verdict = verdict;
  outcome.error.code = ExitCode::Unsupported;
  return outcome;
}

Verdict qualified(Outcome outcome) {
  qualify(outcome);
  return outcome.verdict;
}

TEST(Outcome, WhatIsNotSeenTakesTheVerdictDownAndNeverUp) {
  for (Verdict verdict : {Verdict::Verified, Verdict::WithinBound, Verdict::Unknown, Verdict::Incomplete,
                          Verdict::Bug, Verdict::Error}) {
    Outcome plain = with(verdict);
    EXPECT_EQ(qualified(plain), verdict);
    Outcome uncovered = plain;
    uncovered.uncovered = {{"call", "f", "a.c:1", "no row", 1}};
    EXPECT_EQ(qualified(uncovered), verdict == Verdict::Verified ? Verdict::WithinBound : verdict);
    Outcome noted = plain;
    noted.uncovered_notes = {{wire::UncoveredKind::Call, 0, "f", "no row"}};
    EXPECT_EQ(qualified(noted), qualified(uncovered));
    Outcome unknown = uncovered;
    unknown.unknown.emplace_back();
    const bool is_less = verdict == Verdict::Verified || verdict == Verdict::WithinBound;
    EXPECT_EQ(qualified(unknown), is_less ? Verdict::Unknown : verdict);
    Outcome bug = unknown;
    bug.findings.emplace_back();
    EXPECT_EQ(qualified(bug), verdict == Verdict::Error ? Verdict::Error : Verdict::Bug);
  }
}

TEST(Outcome, ExitCodes) {
  struct Row {
    Verdict verdict;
    int code, strict;
  };
  for (const Row& row : {Row{Verdict::Verified, 0, 0}, {Verdict::WithinBound, 0, 3}, {Verdict::Unknown, 3, 3},
                         {Verdict::Incomplete, 3, 3}, {Verdict::Bug, 1, 1}, {Verdict::Error, 5, 5}}) {
    EXPECT_EQ(static_cast<int>(exit_code(with(row.verdict))), row.code) << verdict_name(row.verdict);
    EXPECT_EQ(static_cast<int>(exit_code(with(row.verdict), true)), row.strict) << verdict_name(row.verdict);
  }
  Outcome vacuous = with(Verdict::Verified);
  vacuous.vacuous = "only one thread ever ran";
  EXPECT_EQ(exit_code(vacuous), ExitCode::Ok);
  EXPECT_EQ(exit_code(vacuous, true), ExitCode::Incomplete);
}

TEST(Outcome, PlacesThatDifferInNothingAreCountedTogether) {
  std::vector<Uncovered> all;
  add_uncovered(all, {{"access", "f", "a.c:1", "asm", 2}, {"access", "f", "a.c:2", "asm", 1}, {"access", "f", "a.c:1", "asm", 3}});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].count, 5u);
  EXPECT_EQ(all[1].count, 1u);
}

}  // namespace
}  // namespace heddle
