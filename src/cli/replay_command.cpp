// `heddle replay TRACE`: starts the recorded program again, runs the recorded choices, and shows the run step by step, or hands it to gdb.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/replay_gdb.h"
#include "cli/trace_options.h"
#include "replay/confirm.h"
#include "report/finding_text.h"
#include "report/schedule_view.h"
#include "report/symbolizer.h"
#include "report/wording.h"
#include "target/process_program.h"

namespace heddle {
namespace {

constexpr std::size_t kMostOutput = 1000;

struct ReplayOptions {
  std::string trace;
  bool quiet = false;
  bool no_colour = false;
  bool real_threads = false;
  std::string gdb;  // where it stops first, "main" or "finding"; empty: no gdb
  std::vector<std::string> gdb_arguments;
  bool on_real_threads() const { return real_threads || !gdb.empty(); }
};

// --- putting things as they were -----------------------------------------------------------------------------------

void restore_environment(const RunFacts& facts) {
  for (const auto& [name, value] : environment_facts(environ))
    if (!facts.environment.contains(name)) unsetenv(name.c_str());
  for (const auto& [name, value] : facts.environment) setenv(name.c_str(), value.c_str(), 1);
}

Status restore_directory(const RunFacts& facts) {
  if (chdir(facts.directory.c_str()) == 0) return Nothing{};
  return Error{fmt::format("cannot go to {}, where the program ran: {}", facts.directory, std::strerror(errno)),
               "create the directory, or render the recording with heddle report"};
}

// A path that gives the recorded standard input when opened. Never the tool's own: the recorded run did not have that.
Result<std::string> restore_input(const RunFacts& facts) {
  if (!facts.input_file.empty()) return facts.input_file;
  if (facts.input_text.empty()) return std::string("/dev/null");
  const int fd = memfd_create("heddle-input", MFD_CLOEXEC);  // lives as long as we do
  if (fd < 0 || write(fd, facts.input_text.data(), facts.input_text.size()) != static_cast<ssize_t>(facts.input_text.size()))
    return Error{fmt::format("cannot create a memory file: {}", std::strerror(errno)), "run `heddle doctor`"};
  return fmt::format("/proc/self/fd/{}", fd);
}

// One run needs no states, and who is debugged may take its time.
wire::Options with_real_threads(wire::Options options) {
  options.turns = wire::Turns::Threads;
  options.state = wire::StateMode::None;
  return options;
}

Result<std::unique_ptr<ProcessProgram>> start_again(const RunFacts& facts, const ReplayOptions& replay, GdbSession* gdb) {
  Result<std::string> input = restore_input(facts);
  if (!input) return input.error();
  restore_environment(facts);
  if (Status there = restore_directory(facts); !there) return there.error();
  ProcessOptions options;
  options.path = facts.program;
  options.arguments = facts.arguments;
  options.input_file = *input;
  options.wire = facts.options;
  options.max_steps = facts.max_steps;
  options.timeouts = facts.timeouts;
  options.visible = facts.visible;
  options.threads = facts.threads;
  if (replay.on_real_threads()) options.wire = with_real_threads(facts.options);
  if (gdb != nullptr) {
    options.wire.hang_ms = options.wire.memory_mb = 0;
    options.give_up = [gdb] { return gdb->is_over(); };
  }
  return ProcessProgram::start(std::move(options));
}

// --- the run -------------------------------------------------------------------------------------------------------

struct Replayed {
  TraceFile shown;    // the recording with what happened now in place of what happened then
  bool same = false;  // did the bug come back
};

Request request_for(const Finding& finding, const ReplayOptions& options) {
  Request request = detailed_request(finding);
  if (options.on_real_threads()) request.capture = Capture::None;
  return request;
}

// A livelock is seen by its states, of which there are none on real threads: there the same lap has to be run again.
std::optional<Finding> find_again(const Trace& trace, const TraceFile& recorded, const ReplayOptions& options) {
  if (recorded.finding.lap == 0 || !options.on_real_threads()) return find_same_bug(trace, recorded.finding);
  const bool same = trace.end == wire::End::StepLimit && compare_runs(recorded.trace.events, trace).cause == Cause::SameOperations;
  return same ? std::optional(recorded.finding) : std::nullopt;
}

std::vector<std::string> paths_of(const std::vector<wire::Module>& modules) {
  std::vector<std::string> paths;
  for (const wire::Module& module : modules) paths.push_back(module.path);
  return paths;
}

void show(const Replayed& replayed, const ReplayOptions& options) {
  const Style style = style_for(STDOUT_FILENO, options.no_colour);
  const TraceFile& trace = replayed.shown;
  if (!options.quiet) std::cout << draw(whole_schedule(trace), style, "") << "\n" << output_text(trace, style, kMostOutput);
  if (!replayed.same) return;
  if (!options.quiet) std::cout << "\n";
  std::cout << style.bad("BUG") << " again in " << trace.facts.program << ": " << headline(trace) << "\n";
  if (!options.quiet) std::cout << participants_text(trace, style);
  std::cout << std::flush;
}

Result<ExitCode> replay(const ReplayOptions& options) {
  Result<TraceFile> recorded = read_trace_file(options.trace);
  if (!recorded) return recorded.error();
  if (Status same = check_unchanged(*recorded, options.trace); !same) return same.error();
  std::optional<GdbSession> gdb;
  if (!options.gdb.empty()) gdb.emplace(options.gdb_arguments, options.gdb == "main");
  Result<std::unique_ptr<ProcessProgram>> program = start_again(recorded->facts, options, gdb ? &*gdb : nullptr);
  if (!program) return program.error();
  const Request request = request_for(recorded->finding, options);
  Result<Trace> trace = gdb ? gdb->run(**program, request, recorded->finding) : (*program)->run(request);
  if (!trace) return trace.error();

  Symbolizer symbols(paths_of((*program)->modules()));
  std::optional<Finding> finding = find_again(*trace, *recorded, options);
  Replayed replayed{*recorded, finding.has_value()};
  replayed.shown.trace = std::move(*trace);
  replayed.shown.finding = finding ? std::move(*finding) : Finding{};
  record_places(replayed.shown, symbols);
  show(replayed, options);
  if (replayed.same) return ExitCode::Bug;
  return divergence_error(fmt::format("the {} did not come back", kind_name(recorded->finding.kind)),
                          compare_runs(recorded->trace.events, replayed.shown.trace), [&](Address pc) {
                            const SourceFrame frame = user_frame({pc}, symbols);
                            return fmt::format("{} ({})", place_of(frame, recorded->facts.directory), frame.function);
                          });
}

}  // namespace

int run_replay(int argc, char** argv) {
  ReplayOptions options;
  TraceOptions app("replay", "Runs one recorded execution again and shows it step by step, one column a thread.",
                   "Exit codes: 1 the bug shows again, 2 bad file or changed program, 3 gdb ended the run early, 4 the run went another way.", options.trace, options.no_colour);
  app.add_flag("-q,--quiet", options.quiet, "say only whether the bug shows again");
  app.add_flag_of("--gdb{main}", options.gdb, {"main", "finding"}, "run it under gdb, stop at main and at the finding (--gdb=finding: only there)");
  app.add_flag("--real-threads", options.real_threads, "run it on real threads that hand over to each other, as --gdb does: slow");
  app.add_rest("GDBARGS", options.gdb_arguments, "after --: arguments for gdb, such as -batch -ex 'thread apply all bt'");
  if (const std::optional<int> answered = app.parse_or_exit(argc, argv)) return *answered;
  if (options.gdb.empty() && !options.gdb_arguments.empty())
    return print_error({fmt::format("replay takes one trace file: what is {}?", options.gdb_arguments.front()), "arguments for gdb need --gdb"});
  if (!options.gdb.empty()) options.quiet = true;
  Result<ExitCode> code = replay(options);
  return code ? static_cast<int>(*code) : print_error(code.error());
}

}  // namespace heddle
