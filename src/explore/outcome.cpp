#include "explore/outcome.h"

namespace heddle {

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::Verified:
      return "verified";
    case Verdict::Bug:
      return "bug";
    case Verdict::WithinBound:
      return "within-bound";
    case Verdict::Unknown:
      return "unknown";
    case Verdict::Incomplete:
      return "incomplete";
    case Verdict::Error:
      return "error";
  }
  check_failed("verdict is a Verdict", __FILE__, __LINE__, "a verdict of no kind");
}

namespace {

// What has the higher rank is said.
int rank(Verdict verdict) {
  switch (verdict) {
    case Verdict::Verified: return 0;
    case Verdict::WithinBound: return 1;
    case Verdict::Unknown: return 2;
    case Verdict::Incomplete: return 3;
    case Verdict::Bug: return 4;
    case Verdict::Error: return 5;
  }
  return 5;
}

Verdict allowed_by(const Outcome& outcome) {
  if (!outcome.findings.empty()) return Verdict::Bug;
  if (!outcome.unknown.empty()) return Verdict::Unknown;
  const bool covers_all = outcome.uncovered.empty() && outcome.uncovered_notes.empty() && !relies_on_orders(outcome.order_pairs);
  return covers_all ? Verdict::Verified : Verdict::WithinBound;
}

bool is_plain(const Outcome& outcome) { return outcome.verdict == Verdict::Verified && outcome.vacuous.empty(); }

}  // namespace

void qualify(Outcome& outcome) {
  const Verdict most = allowed_by(outcome);
  if (rank(most) > rank(outcome.verdict)) outcome.verdict = most;
}

ExitCode exit_code(const Outcome& outcome, bool strict) {
  switch (outcome.verdict) {
    case Verdict::Verified:
    case Verdict::WithinBound:
      return strict && !is_plain(outcome) ? ExitCode::Incomplete : ExitCode::Ok;
    case Verdict::Unknown:
      return ExitCode::Incomplete;
    case Verdict::Bug:
      return ExitCode::Bug;
    case Verdict::Incomplete:
      return ExitCode::Incomplete;
    case Verdict::Error:
      return outcome.error.code;
  }
  return ExitCode::Internal;
}

}  // namespace heddle
