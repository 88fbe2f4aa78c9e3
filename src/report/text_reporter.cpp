#include "report/text_reporter.h"

#include <fmt/format.h>

#include "report/finding_text.h"
#include "report/schedule_view.h"
#include "report/uncovered.h"

namespace heddle {
namespace {

constexpr std::size_t kMostRows = 24;
constexpr std::size_t kMostOutput = 10;
constexpr std::size_t kMostUncovered = 8;

std::string counted(std::uint64_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string bug_line(const std::string& program, const std::string& what, const Style& style) {
  return style.bad("BUG") + fmt::format(" in {}: {}", program, what);
}

// What the verdict is within: each part only where it left something out.
std::string within_bound_text(const Outcome& outcome) {
  const bool is_seen = outcome.uncovered.empty();
  const char* what = outcome.bounded ? (is_seen ? "nothing wrong in all that the bounds allow" : "nothing wrong in all that heddle sees and the bounds allow")
                                     : (is_seen ? "verified" : "nothing wrong in all that heddle sees");
  if (outcome.order_texts.empty()) return what;
  return fmt::format("{} under sequential consistency; the program relies on memory orders that were not explored", what);
}

std::string unknown_text(const CheckReport& report) {
  return fmt::format("{} may be ordered by code that heddle does not see; nothing else wrong", counted(report.unknown.size(), "data race"));
}

std::string clean_line(const char* word, const CheckReport& report, const std::string& what, const Style& style) {
  const std::string& vacuous = report.outcome.vacuous;
  if (vacuous.empty()) return style.good(word) + fmt::format(" {}: {}", report.program, what);
  return style.unsure(fmt::format("{}, but vacuous: {}", word, vacuous)) + fmt::format(" ({}: {})", report.program, what);
}

std::string verdict_line(const CheckReport& report, const Style& style) {
  const std::string& program = report.program;
  switch (report.outcome.verdict) {
    case Verdict::Verified:
      return clean_line("VERIFIED", report, "every interleaving explored, nothing wrong", style);
    case Verdict::Bug:
      return bug_line(program, report.cases.size() == 1 ? headline(report.cases.front().trace) : counted(report.cases.size(), "finding"), style);
    case Verdict::WithinBound:
      return clean_line("WITHIN BOUND", report, within_bound_text(report.outcome), style);
    case Verdict::Unknown:
      return style.unsure("UNKNOWN") + fmt::format(" {}: {}", program, unknown_text(report));
    case Verdict::Incomplete:
      return style.unsure("INCOMPLETE") + fmt::format(" {}: nothing wrong so far, but not everything was explored", program);
    case Verdict::Error:
      return style.bad("ERROR") + fmt::format(" {}: {}", program, report.outcome.error.what);
  }
  return "";
}

// Only what says something: a stateless search has no states.
std::string statistics_line(const Outcome& outcome) {
  const Statistics& s = outcome.statistics;
  std::string line = fmt::format("{}: {}", outcome.algorithm, counted(s.executions, "execution"));
  if (s.blocked > 0) line += fmt::format(" ({} redundant)", s.blocked);
  line += fmt::format(", {}", counted(s.transitions, "transition"));
  if (s.states > 0) line += fmt::format(", {}, {}", counted(s.states, "state"), counted(s.revisits, "revisit"));
  if (s.stored_transitions > 0) line += fmt::format(", {} stored", counted(s.stored_transitions, "label"));
  if (s.bytes_per_state > 0) line += fmt::format(", {} bytes a state", s.bytes_per_state);
  line += fmt::format(", depth {}, {}", s.max_depth, counted(s.threads, "thread"));
  line += s.time_s < 1 ? fmt::format(", {:.0f} ms", s.time_s * 1000) : fmt::format(", {:.1f} s", s.time_s);
  if (s.executions + s.blocked > 100 && s.time_s > 0.01) line += fmt::format(" ({:.0f}/s)", static_cast<double>(s.executions + s.blocked) / s.time_s);
  return line + fmt::format(", {} MB", (s.peak_rss_kb + 1023) / 1024);
}

// How many did it, and at what price.
std::string distribution_line(const Distribution& d) {
  double busy = 0;
  std::size_t present = 0;
  for (const WorkerFigures& w : d.workers) {
    if (w.lost) continue;
    busy += w.busy;
    ++present;
  }
  std::string line = fmt::format("{}, {:.0f} % busy: {}", counted(present, "worker"), present ? 100 * busy / static_cast<double>(present) : 0,
                                 counted(d.units, "unit"));
  if (d.repeated > 0) line += fmt::format(" ({} repeated)", d.repeated);
  return line + fmt::format(", {} redundant", counted(d.redundant, "run"));
}

void write_body(const Case& c, const Style& style, std::ostream& out) {
  out << participants_text(c.trace, style);
  const std::string schedule = draw(end_of_schedule(c.trace, kMostRows), style, "  ");
  if (!schedule.empty()) out << "\n  How it comes to that:\n" << schedule;
  if (const std::string output = output_text(c.trace, style, kMostOutput); !output.empty()) out << "\n" << output;
  out << "\n";
  if (c.file.empty()) {
    out << "  The schedule was not saved: " << c.save_error << "\n";
  } else {
    out << "  Replay it: " << style.bold("heddle replay " + c.file) << "\n";
  }
}

void write_unknown(const Case& c, const Style& style, std::ostream& out) {
  out << "\n" << style.unsure("perhaps") << fmt::format(" {}, unless {} orders the two\n", headline(c.trace), c.trace.finding.maybe_ordered_by);
  write_body(c, style, out);
}

}  // namespace

void write_recording(const Case& c, const Style& style, std::ostream& out) {
  out << bug_line(c.trace.facts.program, headline(c.trace), style) << "\n\n";
  write_body(c, style, out);
}

void TextReporter::write(const CheckReport& report, std::ostream& out) {
  out << verdict_line(report, style_) << "\n";
  if (report.outcome.verdict == Verdict::Error && !report.outcome.error.next.empty()) out << "  " << report.outcome.error.next << "\n";
  const std::size_t count = report.cases.size();
  for (std::size_t i = 0; i < count; ++i) {
    out << "\n";
    if (count > 1) out << style_.bold(fmt::format("{}. {}", i + 1, headline(report.cases[i].trace))) << "\n";  // a single one stands in the verdict
    write_body(report.cases[i], style_, out);
  }
  for (const Case& c : report.unknown) write_unknown(c, style_, out);
  if (!report.cases.empty() || !report.unknown.empty()) out << "\n";
  if (!report.outcome.order_texts.empty()) out << style_.bold("memory orders") << ": nothing orders the " << report.outcome.order_texts.front() << "\n";
  out << uncovered_text(report.outcome.uncovered, kMostUncovered, style_);
  for (const std::string& note : report.outcome.notes) out << "note: " << note << "\n";
  if (report.outcome.findings.empty())
    for (const SampledRuns& sampled : report.outcome.sampling) out << likelihood_text(sampled) << "\n";
  if (!report.outcome.resume.empty()) out << "Go on with it: " << style_.bold(report.outcome.resume) << "\n";
  out << style_.dim(statistics_line(report.outcome)) << "\n";
  if (report.outcome.distribution) out << style_.dim(distribution_line(*report.outcome.distribution)) << "\n";
}

}  // namespace heddle
