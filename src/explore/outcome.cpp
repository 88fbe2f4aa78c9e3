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
    case Verdict::Incomplete:
      return "incomplete";
    case Verdict::Error:
      return "error";
  }
  check_failed("verdict is a Verdict", __FILE__, __LINE__, "a verdict of no kind");
}

ExitCode exit_code(const Outcome& outcome) {
  switch (outcome.verdict) {
    case Verdict::Verified:
    case Verdict::WithinBound:
      return ExitCode::Ok;
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
