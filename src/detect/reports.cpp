#include "detect/reports.h"

#include <cxxabi.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "detect/evidence.h"

namespace heddle {
namespace {

using wire::Report;
using wire::ReportKind;
using wire::StackRecord;

std::optional<FindingKind> kind_of(ReportKind kind) {
  switch (kind) {
    case ReportKind::Assertion:
      return FindingKind::Assertion;
    case ReportKind::Abort:
      return FindingKind::Abort;
    case ReportKind::Exception:
      return FindingKind::Exception;
    case ReportKind::Crash:
      return FindingKind::Crash;
    case ReportKind::DataRace:
      return FindingKind::DataRace;
    case ReportKind::UseAfterFree:
      return FindingKind::UseAfterFree;
    case ReportKind::UseAfterReturn:
      return FindingKind::UseAfterReturn;
    case ReportKind::DoubleFree:
      return FindingKind::DoubleFree;
    case ReportKind::BadFree:
      return FindingKind::BadFree;
    case ReportKind::HeapOverflow:
      return FindingKind::HeapOverflow;
    case ReportKind::LockMisuse:
      return FindingKind::LockMisuse;
    case ReportKind::Livelock:
      return FindingKind::Livelock;
    case ReportKind::Exit:
      return FindingKind::UncaughtExit;
    case ReportKind::Unsupported:
    case ReportKind::NeedsFork:
    case ReportKind::Note:
    case ReportKind::OrderMatters:
      return std::nullopt;
  }
  return std::nullopt;
}

std::string access_text(std::uint8_t access, std::uint32_t size) {
  if (access & wire::kAccessFree) return "free";
  if (access & wire::kAccessEnd) return "end";
  if (access & wire::kAccessReturn) return "return";
  std::string text = access & wire::kAccessAtomic ? "atomic " : "";
  text += access & wire::kAccessWrite ? "write" : "read";
  if (access & wire::kAccessVptr) return text + " of a virtual table pointer";
  return size == 0 ? text : fmt::format("{} of {} byte{}", text, size, size == 1 ? "" : "s");
}

// What was done to a hidden object is the call: the runtime tells both, this thread's and the other one's.
std::string call_text(const Report& r, bool other) {
  const std::string calls = report_text(r);
  const std::size_t end = calls.find('\n');
  if (end == std::string::npos) return "a call";
  return (other ? calls.substr(end + 1) : calls.substr(0, end)) + "()";
}

std::string side_text(const Report& r) {
  return wire::is_hidden(r.address) ? call_text(r, false) : access_text(r.access, r.size);
}
std::string other_side_text(const Report& r) {
  return wire::is_hidden(r.address) ? call_text(r, true) : access_text(r.other_access, r.other_size);
}

std::string signal_text(std::uint8_t number) {
  switch (number) {
    case 0:
      return "";
    case SIGSEGV:
      return "SIGSEGV (access to memory that is not there)";
    case SIGBUS:
      return "SIGBUS (access beyond the end of a mapping, or misaligned)";
    case SIGFPE:
      return "SIGFPE (division by zero or overflow)";
    case SIGILL:
      return "SIGILL (illegal instruction)";
    default:
      break;
  }
  const char* name = sigabbrev_np(number);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", number);
}

// `label` alone, or with what the runtime adds.
std::string labelled(const std::string& label, const std::string& detail) {
  return detail.empty() ? label : fmt::format("{}: {}", label, detail);
}

std::string two_sided(const char* label, const Report& r) {
  const std::string object = wire::is_hidden(r.address) ? fmt::format(" on {}", wire::hidden_text(r.address)) : "";
  std::string text = fmt::format("{}{}: {} by {}", label, object, side_text(r), thread_text(r.thread));
  if (r.other_thread == wire::kNoThread) return text;
  const bool race = r.kind == ReportKind::DataRace;
  return fmt::format("{} {} {} by {}", text, race ? "and" : "after", other_side_text(r),
                     thread_text(r.other_thread));
}

// One side is an access, the other the end of a thread or of a function that has had the memory. The end is the first of them in the
// report where it came later in this run, but nothing orders the two.
std::string use_after_return(const Report& r) {
  const bool is_ordered = (r.access & (wire::kAccessEnd | wire::kAccessReturn)) == 0;
  const std::uint8_t end = is_ordered ? r.other_access : r.access;
  const std::uint8_t user = is_ordered ? r.thread : r.other_thread, owner = is_ordered ? r.other_thread : r.thread;
  const std::string access = is_ordered ? access_text(r.access, r.size) : access_text(r.other_access, r.other_size);
  const std::string memory = end & wire::kAccessEnd ? fmt::format("memory of {}, which has ended", thread_text(owner))
                                                    : fmt::format("a variable of a function of {} that has returned", thread_text(owner));
  return fmt::format("use after return: {} by {} to {}{}", access, thread_text(user), memory, is_ordered ? "" : " in another order");
}

std::string exception_text(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> type(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return fmt::format("uncaught exception of type {}", status == 0 ? type.get() : mangled.c_str());
}

// The runtime's texts are sentences of their own; what stands before them says which kind of bug this is.
std::string message_of(const Report& r) {
  const std::string detail = report_text(r);
  switch (r.kind) {
    case ReportKind::Assertion:
      return detail.empty() ? "an assertion failed" : detail;
    case ReportKind::Abort:
      return detail.empty() ? "abort() called" : detail;
    case ReportKind::Exception:
      return exception_text(detail);
    case ReportKind::Crash:
      return labelled("crash", detail.empty() ? signal_text(r.signal) : detail);
    case ReportKind::DataRace:
      return two_sided("data race", r);
    case ReportKind::UseAfterFree:
      return two_sided("use after free", r);
    case ReportKind::UseAfterReturn:
      return use_after_return(r);
    case ReportKind::HeapOverflow:
      return two_sided("heap overflow", r);
    case ReportKind::DoubleFree:
      return labelled(fmt::format("double free by {}", thread_text(r.thread)), detail);
    case ReportKind::BadFree:
      return labelled(fmt::format("bad free by {}", thread_text(r.thread)), detail);
    case ReportKind::LockMisuse:
      return labelled("lock misuse", detail);
    case ReportKind::Livelock:
      return labelled("livelock", detail.empty() ? thread_text(r.thread) + " makes no progress" : detail);
    case ReportKind::Exit:
      return fmt::format("the program ends with exit status {}", r.signal);
    default:
      return detail;
  }
}

bool is_two_sided(ReportKind kind) {
  return kind == ReportKind::DataRace || kind == ReportKind::UseAfterFree || kind == ReportKind::DoubleFree ||
         kind == ReportKind::HeapOverflow || kind == ReportKind::UseAfterReturn;
}

std::string role_of(const Report& r) {
  if (r.kind == ReportKind::DoubleFree) return "second free";
  return is_two_sided(r.kind) ? side_text(r) : kind_name(*kind_of(r.kind));
}

// The earlier side. A watching run records a stack for every access to the range, and names it by the thread's clock (and
// three bits for the kind of access) rather than by the report, which does not exist yet at that time.
const Stack* earlier_access(const Trace& trace, std::uint32_t index) {
  const Report& r = trace.reports[index];
  for (auto it = trace.stacks.rbegin(); it != trace.stacks.rend(); ++it) {
    const bool same_access =
        it->owner == StackRecord::OfReportOther && it->thread == r.other_thread && it->owner_index >> 3 == r.other_clock;
    if (same_access && !it->frames.empty() && (r.other_pc == 0 || it->frames.front() == r.other_pc)) return &*it;
  }
  return nullptr;
}

// Only a watching run knows its size: the detector itself keeps bytes, which may have been accessed together or one by one.
Report with_earlier_size(const Trace& trace, std::uint32_t index) {
  Report r = trace.reports[index];
  const Stack* access = is_two_sided(r.kind) ? earlier_access(trace, index) : nullptr;
  if (access != nullptr && access->size != 0) r.other_size = access->size;
  return r;
}

// Heap misuse is told without its earlier side: whoever freed the block last did that.
void involve_free(Finding& finding, const Trace& trace, Address block) {
  for (auto it = trace.stacks.rbegin(); it != trace.stacks.rend(); ++it) {
    if (it->owner != StackRecord::OfReportOther || (it->owner_index & 7) != wire::kWatchedFree) continue;
    finding.involved.push_back({it->thread, access_text(wire::kAccessFree, 0), block, 0, it->frames});
    return;
  }
}

void involve(Finding& finding, const Trace& trace, const Report& r, std::uint32_t index) {
  finding.involved.push_back({r.thread, role_of(r), r.address, r.size, stack_of(trace, StackRecord::OfReport, index, r.pc)});
  if (is_two_sided(r.kind) && r.other_thread != wire::kNoThread) {
    const Stack* access = earlier_access(trace, index);
    finding.involved.push_back({r.other_thread, other_side_text(r), r.address, r.other_size,
                                access != nullptr ? access->frames : stack_of(trace, StackRecord::OfReportOther, index, r.other_pc)});
  }
  if (r.kind == ReportKind::UseAfterFree || r.kind == ReportKind::DoubleFree) involve_free(finding, trace, r.address);
  for (const Stack& stack : trace.stacks) {
    if (stack.owner != StackRecord::OfAllocation || stack.owner_index != index) continue;
    finding.involved.push_back({stack.thread, "allocated", r.address, 0, stack.frames});
  }
}

// A run without detail does not know where the earlier side was; then the object stands in for it.
std::vector<std::string> places_of(const Report& r) {
  std::vector<std::string> places{place_text(r.pc)};
  if (r.kind == ReportKind::Exit) return {fmt::format("{}", r.signal)};
  if (r.kind != ReportKind::DataRace) return places;
  places.push_back(r.other_pc != 0 ? place_text(r.other_pc)
                                   : fmt::format("{}/{}/{}", place_text(r.address), r.access, r.other_access));
  return places;
}

}  // namespace

std::optional<Finding> report_finding(const Trace& trace, std::uint32_t index, const Signatures& known) {
  const Report r = with_earlier_size(trace, index);
  const std::optional<FindingKind> kind = kind_of(r.kind);
  if (!kind || (r.kind == ReportKind::Exit && r.signal == 0)) return std::nullopt;
  Finding finding;
  finding.kind = *kind;
  if (r.kind == ReportKind::DataRace && !wire::is_hidden(r.address)) finding.maybe_ordered_by = report_text(r);
  finding.signature = make_signature(*kind, places_of(r));
  if (!finding.maybe_ordered_by.empty()) finding.signature += "?" + finding.maybe_ordered_by;  // a race at the same places may be one for certain
  if (known.contains(finding.signature)) return std::nullopt;
  finding.message = message_of(r);
  involve(finding, trace, r, index);
  finding.choices = choices_of(trace);
  finding.step = r.step;
  return finding;
}

}  // namespace heddle
