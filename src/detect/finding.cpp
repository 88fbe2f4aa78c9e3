#include "detect/finding.h"

#include <algorithm>

#include "base/check.h"

namespace heddle {

const char* kind_name(FindingKind kind) {
  switch (kind) {
    case FindingKind::Assertion:
      return "assertion";
    case FindingKind::Abort:
      return "abort";
    case FindingKind::Exception:
      return "exception";
    case FindingKind::Crash:
      return "crash";
    case FindingKind::Deadlock:
      return "deadlock";
    case FindingKind::DataRace:
      return "data-race";
    case FindingKind::UseAfterFree:
      return "use-after-free";
    case FindingKind::UseAfterReturn:
      return "use-after-return";
    case FindingKind::DoubleFree:
      return "double-free";
    case FindingKind::BadFree:
      return "bad-free";
    case FindingKind::HeapOverflow:
      return "heap-overflow";
    case FindingKind::LockMisuse:
      return "lock-misuse";
    case FindingKind::Livelock:
      return "livelock";
    case FindingKind::UncaughtExit:
      return "uncaught-exit";
  }
  check_failed("kind is a FindingKind", __FILE__, __LINE__, "a finding of no kind");
}

const Involved* place_in_memory(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::DataRace:
    case FindingKind::UseAfterFree:
    case FindingKind::UseAfterReturn:
    case FindingKind::DoubleFree:
    case FindingKind::BadFree:
    case FindingKind::HeapOverflow: break;
    default: return nullptr;
  }
  const auto it = std::find_if(finding.involved.begin(), finding.involved.end(), [](const Involved& i) { return i.object != 0; });
  return it == finding.involved.end() ? nullptr : &*it;
}

}  // namespace heddle
