// `heddle check`: from the command line to the verdict. Decides nothing itself: config, target, explorer and reporters do.
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/config.h"
#include "cli/coverage.h"
#include "cli/driver.h"
#include "cli/side_by_side.h"
#include "cli/ranks.h"
#include "cli/recording.h"
#include "cli/search_facts.h"
#include "dist/distributed_search.h"
#include "dist/process_crew.h"
#include "dist/worker.h"
#include "explore/assumptions.h"
#include "explore/auto_states.h"
#include "explore/explorer.h"
#include "explore/reduction/bounds.h"
#include "explore/reduction/registry.h"
#include "explore/reduction/sampling.h"
#include "replay/build_id.h"
#include "report/json_reporter.h"
#include "report/record.h"
#include "report/symbolizer.h"
#include "report/text_reporter.h"
#include "report/uncovered.h"
#include "report/wording.h"
#include "target/process_program.h"
#include "target/program_mode.h"

namespace heddle {
namespace {

Result<std::string> program_path(const Config& config) {
  if (!is_source_file(config.program)) return config.program;
  if (access(config.program.c_str(), R_OK) != 0)
    return Error{fmt::format("cannot read {}", config.program), "check the path of the source file"};
  Result<std::vector<std::string>> flags = split_words(config.cflags);
  if (!flags) return flags.error();
  return compile_for_check(config.program, *flags);
}

// A regular file on standard input can be named in a recorded finding, and read again when that is replayed.
std::string input_file() {
  struct stat facts {};
  char path[4096];
  if (fstat(0, &facts) != 0 || !S_ISREG(facts.st_mode)) return {};
  const ssize_t length = readlink("/proc/self/fd/0", path, sizeof path);
  if (length <= 0 || length == sizeof path) return {};
  const std::string name(path, static_cast<std::size_t>(length));
  return access(name.c_str(), R_OK) == 0 ? name : std::string{};
}

std::uint64_t half_of_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) / 2 * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

wire::Options wire_options(const Config& config) {
  wire::Options options;
  options.executor = config.executor == ExecutorChoice::Fork ? wire::Executor::Fork : wire::Executor::Rollback;
  options.visibility = config.visibility;
  options.state = config.state.value_or(wire::StateMode::None);
  options.unbuffered = options.state != wire::StateMode::None;
  options.spurious_wakeups = config.spurious_wakeups;
  options.weak_cas_fails = config.weak_cas_fails;
  options.observe_output = config.observe_output;
  options.patch = config.repair;
  options.cpus = config.cpus;
  options.full_state_bytes = config.max_memory.value_or(half_of_memory());
  options.hang_ms = static_cast<std::uint64_t>(config.hang_timeout_s * 1000);
  options.memory_mb = config.memory_mb;
  return options;
}

// Names code by its source line, from the modules that the target has loaded. Looked up only for diagnoses.
std::string place_among(const std::vector<wire::Module>& modules, const std::vector<Address>& frames) {
  if (frames.empty() || frames.front() == 0) return default_place_name(0);
  std::vector<std::string> paths;
  for (const wire::Module& module : modules) paths.emplace_back(module.path);
  Symbolizer symbols(paths);
  const SourceFrame frame = user_frame(frames, symbols);
  return fmt::format("{} ({})", place_of(frame, ""), frame.function);
}

ProcessOptions process_options(const Config& config, const std::string& path, const Patience& patience,
                               ProgressMeter& meter) {
  ProcessOptions options;
  options.path = path;
  options.arguments = config.arguments;
  options.input_file = input_file();
  options.wire = wire_options(config);
  options.may_change_executor = config.executor == ExecutorChoice::Auto;
  options.max_steps = config.max_steps;
  options.timeouts = config.timeouts.value_or(0);
  options.visited_bytes = config.max_memory.value_or(half_of_memory());
  options.may_capture_later = may_store_states(config);
  options.give_up = [&patience] { return patience.over(); };
  options.place = place_among;
  options.say = [&meter](const std::string& line) {
    meter.clear();
    fmt::print(stderr, "heddle: {}\n", line);
  };
  return options;
}

PlaceName place_name(const ProcessProgram& program) {
  return [&program](Address pc) { return place_among(program.modules(), {pc}); };
}

struct Searched {
  Outcome outcome;
  std::vector<Case> cases, unknown;  // of the outcome's
};

std::vector<std::string> module_paths(const ProcessProgram& program) {
  std::vector<std::string> paths;
  for (const wire::Module& module : program.modules()) paths.emplace_back(module.path);
  return paths;
}

void name_places(Outcome& outcome, const ProcessProgram& program) {
  const std::vector<Uncovered> before = uncovered_before_search(program);
  Symbolizer symbols(module_paths(program));
  std::error_code ignored;
  name_places(outcome, before, symbols, std::filesystem::current_path(ignored).string());
}

// The places and files that go with an outcome, and the outcome itself, in every form that was asked for.
int write_reports(const Config& config, Searched searched, const ProcessProgram& program) {
  searched.outcome.assumes = standing_assumptions(config);
  name_places(searched.outcome, program);
  const ExitCode code = exit_code(searched.outcome, config.strict);
  if (searched.outcome.verdict == Verdict::Error) print_error(searched.outcome.error);
  CheckReport report{config.program, std::move(searched.outcome), std::move(searched.cases), std::move(searched.unknown)};
  if (config.json_file != "-") TextReporter(style_for(STDOUT_FILENO, config.plain_text)).write(report, std::cout);
  std::cout.flush();
  if (!config.json_file.empty()) {
    if (Status written = write_json(report, config.json_file); !written) return print_error(written.error());
  }
  return static_cast<int>(code);
}

// What was found before is told with the error.
bool is_error_alone(const Outcome& outcome) { return outcome.verdict == Verdict::Error && outcome.findings.empty(); }

// An error is an outcome too: whoever reads the JSON finds it there.
int report_error(const Config& config, const Error& error) {
  Outcome outcome;
  outcome.verdict = error.code == ExitCode::Incomplete ? Verdict::Incomplete : Verdict::Error;
  outcome.algorithm = config.algorithm;
  outcome.error = error;
  print_error(error);
  if (config.json_file.empty()) return static_cast<int>(error.code);
  if (Status written = write_json({config.program, outcome, {}, {}}, config.json_file); !written) print_error(written.error());
  return static_cast<int>(error.code);
}

// A worker and its target take turns, so that one processor does for both. Where there are not two for each of them, they share
// one and do not wait for each other awake.
void share_processor(int number, std::uint32_t workers) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  const int count = CPU_COUNT(&allowed);
  if (count < 2 || 2 * workers <= static_cast<std::uint32_t>(count)) return;
  int skip = number % count;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || skip-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

// Runs that are handed over at once where worker and target take turns on one processor. More would hardly save more: about every other run is
// known only when the one before it has been looked at.
Worker::Pace pace_here() {
  constexpr std::size_t kForesee = 4;
  Worker::Pace pace;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) == 1) pace.foresee = kForesee;
  return pace;
}

// What a worker does, wherever it is. It ends when it is told to, or cannot go on.
void work(const Config& config, Result<std::unique_ptr<ProcessProgram>> program, const Explorer::MakeReduction& make, Link& link) {
  if (program) return make_worker(config, **program, make, link, pace_here())->work();
  Report report;
  report.error = program.error();
  link.send(to_bytes(report));
}

// A worker whose target has to be started once more for want of room keeps others waiting, who then do the same.
constexpr std::uint32_t kThreadsOfAWorker = 17;

// Worker processes, each with a target of its own that reads the same input.
Result<std::unique_ptr<ProcessCrew>> hire_workers(const Config& config, ProcessOptions options, int input_fd,
                                                  const Explorer::MakeReduction& make) {
  if (input_fd >= 0) options.input_file = fmt::format("/proc/self/fd/{}", input_fd);
  options.wire.threads = kThreadsOfAWorker;
  options.give_up = [] { return false; };
  auto body = [&config, options, make](Link& link, int number) {
    share_processor(number, config.workers);
    work(config, ProcessProgram::start(options), make, link);
  };
  return ProcessCrew::start(static_cast<int>(config.workers), body);
}

// A rank's program is rank 0's file where that is to be found, also if it was compiled there; its standard input is empty.
Result<ProcessOptions> rank_options(const Config& config, const Welcome& welcome, const Patience& patience, ProgressMeter& meter) {
  Result<std::string> hash = is_source_file(config.program) ? file_hash(welcome.program) : Error{};
  Result<std::string> path = hash && *hash == welcome.hash ? welcome.program : program_path(config);
  if (!path) return path.error();
  ProcessOptions options = process_options(config, *path, patience, meter);
  options.wire.threads = kThreadsOfAWorker;
  options.input_file = "/dev/null";
  options.say = [](const std::string&) {};
  return options;
}

// Tells rank 0 what this rank has, and works for it until the end.
void serve(const Config& config, const std::vector<std::string>& words, const Welcome& welcome, MpiSession& session, MpiLink& link) {
  const Patience patience;
  ProgressMeter meter(stderr, ProgressMeter::style_for(stderr, true));
  auto answer = [&](const Muster& muster) { session.send(0, static_cast<int>(MpiTag::Muster), to_bytes(muster)); };
  Result<ProcessOptions> options = rank_options(config, welcome, patience, meter);
  if (!options) return answer(muster(words, options.error()));
  options->give_up = [&link] { return link.ended(); };
  share_processor(session.local_place(), session.local_workers());
  Result<std::unique_ptr<ProcessProgram>> program = ProcessProgram::start(*options);
  if (!program) return answer(muster(words, program.error()));
  answer(muster(words, *options, **program));
  const Algorithm algorithm = find_algorithm(config.algorithm).value();
  for (;;) {
    work(config, std::move(program), [&] { return make_reduction(algorithm, config); }, link);
    if (link.ended()) return;
    session.send(0, static_cast<int>(MpiTag::Left), {});
    if (!link.await(MpiTag::Return)) return;
    program = ProcessProgram::start(*options);
  }
}

// Every rank but 0. Prints nothing.
int work_as_rank(const Config& config, const std::vector<std::string>& words, MpiSession& session) {
  signal(SIGINT, SIG_IGN);  // rank 0 decides
  signal(SIGTERM, SIG_IGN);
  MpiLink link(session);
  if (auto message = link.await(MpiTag::Welcome)) {
    const Welcome welcome = from_bytes<Welcome>(*message).value_or(Welcome{});
    replace_environment(welcome.environment);
    serve(config, words, welcome, session, link);
  }
  link.await(MpiTag::End);
  session.send(0, static_cast<int>(MpiTag::Bye), {});
  session.finish();
  return 0;
}

Outcome search_here(const Config& config, ProcessProgram& program, const Recording& recording, Patience& patience, ProgressMeter& meter) {
  if (config.algorithm == "auto" && config.preemptions.kind == Preemptions::Any && !recording.is_on()) {
    AutoSearch auto_search(config);
    return Explorer(config, program, auto_search, patience, meter, place_name(program)).explore();
  }
  auto make = [&config] { return make_reduction(*find_algorithm(config.algorithm), config); };
  return Explorer(config, program, recording.wrap(make, program), patience, meter, place_name(program)).explore();
}

// What the workers are to explore.
DistributedSearch::Subject subject_of(const Config& config, std::shared_ptr<const Reduction> reduction, const RunFacts& run) {
  const std::unique_ptr<Reduction> other = reduction->for_cut_runs();
  const std::string name(reduction->name());
  DistributedSearch::Subject subject{name, other ? std::string(other->name()) : name, reduction->exhaustive(), search_facts(config, run)};
  if (auto sampling = std::dynamic_pointer_cast<const Sampling>(reduction))
    subject.horizon_begins = [sampling](std::uint64_t n) { return sampling->horizon_begins(n); };
  return subject;
}

// With the ranks that mpirun started, or else with processes started here.
Result<Outcome> explore_with_crew(const Config& config, ProcessProgram& program, const ProcessOptions& options, Ranks* ranks,
                                  const std::optional<Checkpoint>& from, const Explorer::MakeReduction& make, Patience& patience,
                                  ProgressMeter& meter) {
  const DistributedSearch::Subject subject = subject_of(config, make(), run_facts(program, options));
  if (from) {
    if (Status same = check_same_search(*from, subject.facts, config.resume_file); !same) return same.error();
  }
  std::unique_ptr<ProcessCrew> crew;
  if (ranks) {
    if (Status gathered = ranks->gather(options, program, patience); !gathered) return gathered.error();
  } else {
    Result<std::unique_ptr<ProcessCrew>> hired = hire_workers(config, options, program.input_fd(), make);
    if (!hired) return hired.error();
    crew = std::move(hired).value();
  }
  Crew& all = ranks ? ranks->crew() : static_cast<Crew&>(*crew);
  DistributedSearch search(config, program, all, patience, meter, subject, place_name(program));
  if (from) {
    if (Status resumed = search.resume(*from); !resumed) return resumed.error();
  }
  Outcome outcome = search.explore();
  if (ranks) ranks->end();
  return outcome;
}

// The checkpoint to go on from, if there is one. Also makes sure that the next one can be written.
Status prepare_checkpoints(const Config& config, std::optional<Checkpoint>& from) {
  if (!config.resume_file.empty()) {
    Result<Checkpoint> read = read_checkpoint(config.resume_file);
    if (!read) return read.error();
    from = std::move(read).value();
  }
  if (config.checkpoint_file.empty()) return Nothing{};
  return check_writable(config.checkpoint_file);
}

RunFacts facts_of(const Config& config, const ProcessProgram& program, const ProcessOptions& options) {
  RunFacts facts = run_facts(program, options);
  facts.allowed_exits = config.allowed_exits;
  return facts;
}

// The targets of `auto` where it may store states. As a rule one serves both searches, in two modes. A program that prints gets a second one for states, where
// what waits to be printed is not in memory; it reads the same input.
class AutoTargets {
 public:
  AutoTargets(ProcessProgram& program, const Config& config) : program_(program), plain_(program, wire::StateMode::None, config.visibility) {}

  Program& plain() { return plain_; }

  Result<Program*> start_storing(const Config& config, ProcessOptions second) {
    if (program_.options().executor == wire::Executor::Fork) return Error{"the program has effects outside of its memory", ""};
    if (program_.has_printed() || !program_.may_capture()) {
      if (program_.input_fd() >= 0) second.input_file = fmt::format("/proc/self/fd/{}", program_.input_fd());
      second.may_change_executor = false;
      second.say = [](const std::string&) {};
      Result<std::unique_ptr<ProcessProgram>> started = ProcessProgram::start(second);
      if (!started) return started.error();
      second_ = std::move(*started);
    }
    return &storing_.emplace(second_ ? *second_ : program_, wire::StateMode::Exact, config.visibility);
  }

  // The process that showed what one of the searches has found, as it was then.
  const ProcessProgram& shown_by(bool storing) {
    if (storing) storing_->enter();
    else if (!second_) plain_.enter();
    return storing && second_ ? *second_ : program_;
  }

 private:
  ProcessProgram& program_;
  ProgramMode plain_;
  std::unique_ptr<ProcessProgram> second_;
  std::optional<ProgramMode> storing_;
};

Searched search_auto(const Config& config, ProcessProgram& program, const ProcessOptions& options, Patience& patience, ProgressMeter& meter) {
  AutoTargets targets(program, config);
  auto start = [&](const Config& with_states) { return targets.start_storing(with_states, process_options(with_states, options.path, patience, meter)); };
  AutoStates::Explored explored = AutoStates(config, targets.plain(), start, patience, meter, place_name(program)).explore();
  Searched searched{std::move(explored.outcome), {}, {}};
  if (is_error_alone(searched.outcome)) return searched;
  auto facts = [&](bool storing) {
    RunFacts of_search = facts_of(config, targets.shown_by(storing), options);
    if (storing) of_search.options.executor = wire::Executor::Rollback;  // whatever the other search has come to need
    return of_search;
  };
  auto record = [&](std::vector<Confirmed>& findings, std::vector<Confirmed>& others, std::vector<Case>& cases) {
    const std::string& algorithm = searched.outcome.algorithm;
    cases = record_findings(findings, algorithm, facts(explored.stored), config.trace_dir);
    if (others.empty()) return;
    for (Case& c : record_findings(others, algorithm, facts(!explored.stored), config.trace_dir)) cases.push_back(std::move(c));
    for (Confirmed& f : others) findings.push_back(std::move(f));
  };
  record(searched.outcome.findings, explored.others, searched.cases);
  record(searched.outcome.unknown, explored.other_unknown, searched.unknown);
  return searched;
}

// `ranks`: those that mpirun started; none: there are no other processes but the ones started here.
int check(const Config& config, Ranks* ranks = nullptr) {
  std::optional<Checkpoint> from;
  if (Status prepared = prepare_checkpoints(config, from); !prepared) return report_error(config, prepared.error());
  Result<std::string> path = program_path(config);
  if (!path) return report_error(config, path.error());
  Patience patience(config.timeout_s);
  ProgressMeter meter(stderr, ProgressMeter::style_for(stderr, config.quiet));
  const Algorithm algorithm = find_algorithm(config.algorithm).value();
  ProcessOptions options = process_options(config, *path, patience, meter);
  if (ranks) {
    options.input_file = "/dev/null";
    if (Status welcomed = ranks->welcome(options); !welcomed) return report_error(config, welcomed.error());
  }
  Result<std::unique_ptr<ProcessProgram>> program = ProcessProgram::start(options);
  if (!program) return report_error(config, program.error());

  if (may_store_states(config)) {
    Searched searched = search_auto(config, **program, options, patience, meter);
    if (is_error_alone(searched.outcome)) return report_error(config, searched.outcome.error);
    return write_reports(config, std::move(searched), **program);
  }
  Outcome outcome;
  if (config.workers == 0) {
    const Result<Recording> recording = Recording::open(config.tree_file);
    if (!recording) return report_error(config, recording.error());
    outcome = search_here(config, **program, *recording, patience, meter);
  } else {
    const Explorer::MakeReduction make = [&] { return make_reduction(algorithm, config); };
    Result<Outcome> explored = explore_with_crew(config, **program, options, ranks, from, make, patience, meter);
    if (!explored) return report_error(config, explored.error());
    outcome = std::move(explored).value();
  }
  if (is_error_alone(outcome)) return report_error(config, outcome.error);
  const RunFacts facts = facts_of(config, **program, options);
  std::vector<Case> cases = record_findings(outcome.findings, outcome.algorithm, facts, config.trace_dir);
  std::vector<Case> unknown = record_findings(outcome.unknown, outcome.algorithm, facts, config.trace_dir);
  return write_reports(config, {std::move(outcome), std::move(cases), std::move(unknown)}, **program);
}

int check_with_ranks(const Launched& launched, const std::vector<std::string>& words, const Config& config) {
  Result<std::unique_ptr<MpiSession>> session = MpiSession::join(launched);
  if (!session) return launched.rank == 0 ? print_error(session.error()) : static_cast<int>(session.error().code);
  if ((*session)->rank() != 0) return work_as_rank(config, words, **session);
  Ranks ranks(**session, words);
  const int code = check(config, &ranks);
  ranks.leave(static_cast<ExitCode>(code));
  return code;
}

}  // namespace

int run_check(int argc, char** argv) {
  const std::optional<Launched> launched = launched_by_mpi();
  const bool talks = !launched || launched->rank == 0;
  const std::vector<std::string> words{argv + 1, argv + argc};
  Result<CheckCommandLine> line = parse_check(words, launched);
  if (!line) return talks ? print_error(line.error()) : static_cast<int>(line.error().code);
  if (line->help) {
    if (talks) std::fputs(line->help_text.c_str(), stdout);
    return 0;
  }
  catch_interrupts();
  if (launched) return check_with_ranks(*launched, words, line->config);
  auto check_alone = [](const Config& config) { return check(config); };
  if (line->config.algorithm == "all") return compare_algorithms(line->config, check_alone);
  if (line->config.algorithm == "portfolio") return run_portfolio(line->config, check_alone);
  return check(line->config);
}

}  // namespace heddle
