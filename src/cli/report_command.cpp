// `heddle report TRACE`: renders a recorded finding without running the program.
#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/trace_options.h"
#include "report/json_reporter.h"
#include "report/text_reporter.h"

namespace heddle {
namespace {

struct ReportOptions {
  std::string trace;
  std::string json;
  bool no_colour = false;
};

// The recording as a search of one run.
CheckReport report_of(TraceFile trace, const std::string& file) {
  CheckReport report;
  report.program = trace.facts.program;
  report.outcome.verdict = Verdict::Bug;
  report.outcome.algorithm = trace.algorithm;
  report.outcome.statistics.executions = 1;
  report.outcome.statistics.transitions = trace.trace.events.size();
  report.outcome.statistics.max_depth = trace.trace.events.size();
  report.outcome.statistics.threads = trace.trace.threads;
  report.cases.push_back({std::move(trace), file, ""});
  return report;
}

Status render(const ReportOptions& options) {
  Result<TraceFile> trace = read_trace_file(options.trace);
  if (!trace) return trace.error();
  const CheckReport report = report_of(std::move(*trace), options.trace);
  if (options.json != "-") write_recording(report.cases.front(), style_for(STDOUT_FILENO, options.no_colour), std::cout);
  std::cout << std::flush;
  return options.json.empty() ? Status(Nothing{}) : write_json(report, options.json);
}

}  // namespace

int run_report(int argc, char** argv) {
  ReportOptions options;
  TraceOptions app("report", "Renders a recorded finding without running the program.", "Exit codes: 0 rendered, 2 bad file.", options.trace,
                   options.no_colour);
  app.add_option("--json", options.json, "also write it as JSON to this file (-: to stdout, and no text)");
  if (const std::optional<int> answered = app.parse_or_exit(argc, argv)) return *answered;
  Status done = render(options);
  return done ? 0 : print_error(done.error());
}

}  // namespace heddle
