// All findings of one trace: what the runtime reported, and what the way the run ended says by itself.
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "detect/deadlock.h"
#include "detect/endless.h"
#include "detect/evidence.h"
#include "detect/finding.h"
#include "detect/reports.h"

namespace heddle {
namespace {

Finding whole_run_finding(const Trace& trace, FindingKind kind, std::string message, std::string place) {
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.choices = choices_of(trace);
  finding.step = static_cast<std::uint32_t>(trace.events.size());
  finding.signature = make_signature(kind, {std::move(place)});
  return finding;
}

// The last thing that is known of the thread that ran last.
void involve_last_thread(Finding& finding, const Trace& trace) {
  if (trace.events.empty()) return;
  const Event& last = trace.events.back();
  finding.involved.push_back(
      {last.thread, fmt::format("last seen at {}", wire::op_text(last.op)), last.object, last.size, {last.pc}});
}

bool has_report(const Trace& trace, wire::ReportKind kind) {
  for (const wire::Report& report : trace.reports) {
    if (report.kind == kind) return true;
  }
  return false;
}

// exit_status is a wait status here: the process went without the runtime's doing.
Finding death_finding(const Trace& trace) {
  const int status = trace.exit_status;
  Finding finding;
  if (WIFSIGNALED(status)) {
    const char* name = sigabbrev_np(WTERMSIG(status));
    const std::string signal = name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", WTERMSIG(status));
    const char* hint = WTERMSIG(status) == SIGKILL ? " (out of memory, or killed from outside)" : "";
    finding = whole_run_finding(trace, FindingKind::Crash,
                                fmt::format("crash: the process was killed by {}{}", signal, hint), signal);
  } else if (status != 0) {
    const std::string message =
        fmt::format("the process ended with status {} without passing through exit", WEXITSTATUS(status));
    finding = whole_run_finding(trace, FindingKind::UncaughtExit, message, fmt::format("{}", WEXITSTATUS(status)));
  } else {
    finding = whole_run_finding(trace, FindingKind::Crash,
                                "crash: the process destroyed the runtime's memory, or ended behind its back", "lost");
  }
  involve_last_thread(finding, trace);
  return finding;
}

// The runtime notes where it was interrupted. That place differs from run to run: it explains, and does not identify.
void involve_interrupted_thread(Finding& finding, const Trace& trace) {
  for (std::uint32_t i = 0; i < trace.reports.size(); ++i) {
    const wire::Report& r = trace.reports[i];
    if (r.kind != wire::ReportKind::Note) continue;
    finding.involved.push_back({r.thread, "still running", 0, 0, stack_of(trace, wire::StackRecord::OfReport, i, r.pc)});
  }
  if (finding.involved.empty()) involve_last_thread(finding, trace);
}

Finding hang_finding(const Trace& trace) {
  const std::string place = trace.events.empty() ? "start" : place_text(trace.events.back().pc);
  Finding finding = whole_run_finding(trace, FindingKind::Livelock, "livelock: no visible operation for too long", place);
  involve_interrupted_thread(finding, trace);
  return finding;
}

// How far the run came is a matter of when somebody looked at its memory: no place identifies it.
Finding memory_finding(const Trace& trace) {
  Finding finding = whole_run_finding(
      trace, FindingKind::Crash, "crash: out of memory: the run takes more than --target-memory allows", "memory");
  involve_interrupted_thread(finding, trace);
  return finding;
}

std::optional<Finding> finding_of_end(const Trace& trace) {
  switch (trace.end) {
    case wire::End::Deadlock:
      return deadlock_finding(trace);
    case wire::End::TimeoutLimit:  // whoever waits might time out; but those who wait for each other's locks will do so for ever
      if (wait_for_cycle(trace).empty()) return std::nullopt;
      return deadlock_finding(trace);
    case wire::End::Died:
      if (has_report(trace, wire::ReportKind::Crash)) return std::nullopt;
      return death_finding(trace);
    case wire::End::Hung:
      if (has_report(trace, wire::ReportKind::Livelock)) return std::nullopt;
      return hang_finding(trace);
    case wire::End::OutOfMemory:
      return memory_finding(trace);
    case wire::End::Completed:
      if (trace.exit_status == 0 || has_report(trace, wire::ReportKind::Exit)) return std::nullopt;
      return whole_run_finding(trace, FindingKind::UncaughtExit,
                               fmt::format("the program ends with exit status {}", trace.exit_status),
                               fmt::format("{}", trace.exit_status));
    default:
      return std::nullopt;
  }
}

}  // namespace

std::vector<Finding> detect(const Trace& trace, const Signatures& known) {
  std::vector<Finding> findings;
  for (std::uint32_t i = 0; i < trace.reports.size(); ++i) {
    if (auto finding = report_finding(trace, i, known)) findings.push_back(std::move(*finding));
  }
  if (auto finding = finding_of_end(trace)) findings.push_back(std::move(*finding));
  if (auto finding = endless_finding(trace)) findings.push_back(std::move(*finding));
  for (Finding& finding : findings) finding.timeouts = trace.timeouts.limit;
  return findings;
}

}  // namespace heddle
