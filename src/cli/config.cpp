#include "cli/config.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/nearest.h"
#include "cli/driver.h"
#include "explore/reduction/bounds.h"
#include "explore/reduction/registry.h"
#include "wire/sampling.h"

namespace heddle {
namespace {

// Options as the user wrote them. Values are text until `build` has looked at them, so that one place words all complaints.
struct RawOptions {
  std::string algorithm = "auto", stop_at = "first", visible, races = "stop", executor = "auto";
  std::string state, max_memory, order = "run-on", livelocks, without;
  std::string max_executions, timeout, max_steps = "100000", timeouts, seed, pct_depth, sleep_sets, hang_timeout = "10", target_memory, cpus = "4";
  std::string jobs, unload_at, preemptions, update, checkpoint, checkpoint_interval, resume;
  std::vector<std::string> allow_exit;
  std::string json, trace_dir = ".", cflags, record_tree;
  bool quiet = false, strict = false, spurious_wakeups = false, weak_cas_fails = false, observe_output = false, no_repair = false;
};

// One row an option that takes a value: where it goes, and its line of help.
struct ValueOption {
  const char* name;
  std::string RawOptions::*value;
  const char* type;
  const char* group;
  const char* text;
};

constexpr const char* kSearch = "Search";
constexpr const char* kLimits = "Limits";
constexpr const char* kProgram = "Running the program";
constexpr const char* kOutput = "Output";

constexpr ValueOption kValueOptions[] = {
    {"--algorithm,-a", &RawOptions::algorithm, "NAME", kSearch, "how to search; see below"},
    {"--stop-at", &RawOptions::stop_at, "first|all", kSearch, "stop at the first finding, or collect all distinct ones"},
    {"--visible", &RawOptions::visible, "racy|all", kSearch,
     "which plain memory accesses are scheduling points: only those of addresses found to race, or all [racy; all where states are stored]"},
    {"--races", &RawOptions::races, "stop|explore|ignore", kSearch,
     "a data race is a bug like others; is reported and explored further; or is not reported (then nothing is verified)"},
    {"--state", &RawOptions::state, "none|exact|verify|delta", kSearch,
     "how states are told apart, for algorithms that store them: not at all; by a fingerprint of all that decides the future; the same, "
     "with full states compared at every match; by the changes of local states [what the algorithm needs]"},
    {"--order", &RawOptions::order, "run-on|sequential[:T,T,...]|random[:SEED]", kSearch,
     "which thread goes first where states are stored: the one that runs, the first of a list, or anyone; followed by ,visited-first: "
     "before that, what leads to a known state"},
    {"--livelocks", &RawOptions::livelocks, "certain|possible|ignore", kSearch,
     "which threads that go round for ever are a finding, where states are stored: those that cannot help it, also those that bad luck can keep there, or none [auto: certain, else possible]"},
    {"--without", &RawOptions::without, "safe,once,last,complete,disabled", kSearch,
     "leave out the safe sets of dl-spor and de-spor, or optimisations of dl-spor, to measure them"},
    {"--seed", &RawOptions::seed, "N", kSearch, "where random searches begin [1]"},
    {"--pct-depth", &RawOptions::pct_depth, "D", kSearch, "pct: look for bugs that need up to D orderings [3]"},
    {"--sleep-sets", &RawOptions::sleep_sets, "on|off", kSearch, "dpor: leave out what another execution has shown [on]"},
    {"--jobs,-j", &RawOptions::jobs, "N", kSearch, "explore with N worker processes, each with a program of its own; `mpirun -np N heddle check PROG` uses many machines"},
    {"--unload-at", &RawOptions::unload_at, "N", kSearch,
     "a worker gives work away only while it owes more than N branches; by default adapted to the search"},
    {"--update", &RawOptions::update, "plain|aggressive", kSearch,
     "dpor: branches for the last race of an operation, or for all of them at once; by default aggressive with -j, plain without"},
    {"--checkpoint", &RawOptions::checkpoint, "FILE", kSearch,
     "keep in FILE what is needed to go on with the search: now and then, and when it is interrupted or ends incomplete"},
    {"--checkpoint-interval", &RawOptions::checkpoint_interval, "SECONDS", kSearch, "how often [60]"},
    {"--resume", &RawOptions::resume, "FILE", kSearch,
     "go on with the search of FILE, same program and options, and keep FILE up to date unless --checkpoint names another"},
    {"--max-executions", &RawOptions::max_executions, "N", kLimits, "stop after N executions"},
    {"--timeout", &RawOptions::timeout, "SECONDS", kLimits, "stop after this time"},
    {"--max-steps", &RawOptions::max_steps, "N", kLimits,
     "cut an execution after N steps; the verdict is then at best within-bound"},
    {"--timeouts", &RawOptions::timeouts, "N|any", kLimits,
     "let the waits of a thread at one place time out N times at most; the verdict is then at best within-bound [any; 1 once executions turn out to "
     "time out without end]"},
    {"--max-memory", &RawOptions::max_memory, "SIZE", kLimits,
     "bound of the stored states, such as 500M or 2G; when it is reached the search goes on without storing more [half of the machine's]"},
    {"--preemptions", &RawOptions::preemptions, "N|auto", kLimits,
     "explore only executions with at most N switches away from a thread that could have gone on; auto: N = 0, 1, 2, …"},
    {"--hang-timeout", &RawOptions::hang_timeout, "SECONDS", kLimits,
     "an execution that works or is blocked for this long without a visible operation is reported as hung"},
    {"--target-memory", &RawOptions::target_memory, "SIZE", kLimits,
     "memory that the program may take, with about four times its own for heddle's records; an execution that takes more is "
     "reported [4G, or what half of this machine's memory has for each of the workers]"},
    {"--executor", &RawOptions::executor, "rollback|fork|auto", kProgram,
     "undo an execution in memory, or run each in a fresh process; auto begins with the first and changes when it must"},
    {"--cpus", &RawOptions::cpus, "N", kProgram, "number of processors that the program is told"},
    {"--cflags", &RawOptions::cflags, "FLAGS", kProgram, "more options for the compiler, where PROG is a source file"},
    {"--json", &RawOptions::json, "FILE", kOutput, "write the result as JSON too (- for standard output)"},
    {"--trace-dir", &RawOptions::trace_dir, "DIR", kOutput, "where recorded findings go"},
    {"--record-tree", &RawOptions::record_tree, "FILE", kOutput, "write the search's tree of work to FILE, with what each run cost (for bench/ddpor)"},
};

struct FlagOption {
  const char* name;
  bool RawOptions::*value;
  const char* group;
  const char* text;
};

constexpr FlagOption kFlagOptions[] = {
    {"--spurious-wakeups", &RawOptions::spurious_wakeups, kProgram,
     "condition variables and futexes may wake without reason"},
    {"--weak-cas-fails", &RawOptions::weak_cas_fails, kProgram, "compare_exchange_weak may fail without reason"},
    {"--observe-output", &RawOptions::observe_output, kProgram,
     "the order in which threads write to standard output and error counts: each is an execution"},
    {"--no-repair", &RawOptions::no_repair, kProgram,
     "leave memory accesses that the compiler does not announce as they are: the verdict names them"},
    {"--strict", &RawOptions::strict, kOutput,
     "exit code 3 for everything that is not plainly verified or a bug: within-bound and vacuous verdicts, too"},
    {"--quiet,-q", &RawOptions::quiet, kOutput, "no progress, only the result"},
};

std::string algorithm_help() {
  std::string text = "Algorithms:\n";
  for (const Algorithm& a : algorithms()) text += fmt::format("  {:<12}{}\n", a.name, a.summary);
  return text +
         "\nExit codes: 0 verified or within-bound, 1 bug, 2 usage or environment, 3 incomplete or unknown, 4 nondeterminism,\n"
         "            5 unsupported operation, 70 internal error";
}

void describe(CLI::App& app, RawOptions& raw) {
  app.description(
      "Explore every way the threads of PROG can interleave.\nPROG is built by `heddle cc` or `heddle c++`, or is a C or "
      "C++ source file.");
  app.name("heddle check [OPTIONS] PROG [ARGS...]");
  app.footer(algorithm_help());
  app.prefix_command();  // what follows PROG is the program's
  app.get_formatter()->column_width(34);
  for (const ValueOption& o : kValueOptions) {
    std::string& value = raw.*o.value;
    const std::string text = value.empty() ? o.text : fmt::format("{} [{}]", o.text, value);
    app.add_option(o.name, value, text)->type_name(o.type)->group(o.group);
  }
  app.add_option("--allow-exit", raw.allow_exit, "this exit status of the program is no bug (repeatable)")
      ->type_name("STATUS")
      ->group(kProgram)
      ->allow_extra_args(false);
  for (const FlagOption& o : kFlagOptions) app.add_flag(o.name, raw.*o.value, o.text)->group(o.group);
}

// --- values ----------------------------------------------------------------------------------------------------------

Error usage(std::string what, std::string next = "see `heddle check --help`") { return {std::move(what), std::move(next)}; }

template <class T>
Status choose(const char* option, const std::string& text, const std::vector<std::pair<std::string, T>>& values, T& to) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) {
    if (name == text) return to = value, Nothing{};
    names.push_back(name);
  }
  const auto meant = nearest(text, names);
  return usage(
      fmt::format("{} cannot be '{}'", option, text),
      meant ? fmt::format("did you mean {}={}?", option, *meant) : fmt::format("choose one of: {}", fmt::join(names, ", ")));
}

Status whole_number(const char* option, const std::string& text, std::uint64_t least, std::uint64_t most,
                    std::uint64_t& to) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, to);
  if (error == std::errc{} && stop == end && to >= least && to <= most) return Nothing{};
  if (most == std::numeric_limits<std::uint64_t>::max())
    return usage(fmt::format("{} must be a whole number of at least {}, not '{}'", option, least, text));
  return usage(fmt::format("{} must be a whole number from {} to {}, not '{}'", option, least, most, text));
}

Status seconds(const char* option, const std::string& text, double& to) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  if (in >> to && in.eof() && std::isfinite(to) && to > 0 && to <= 1e9) return Nothing{};
  return usage(fmt::format("{} must be a number of seconds above 0, not '{}'", option, text));
}

// A number of bytes with a unit: 65536, 64K, 500M, 2G.
Status size(const char* option, const std::string& text, std::uint64_t least, std::uint64_t& to) {
  const auto unit = text.find_first_not_of("0123456789");
  std::uint64_t factor = 1;
  bool good = unit != 0;
  if (unit != std::string::npos) {
    const std::string name = text.substr(unit);
    const std::string units = "KMGT";
    const auto power = units.find(static_cast<char>(std::toupper(static_cast<unsigned char>(name[0]))));
    good = good && power != std::string::npos && (name.size() == 1 || (name.size() == 2 && (name[1] == 'B' || name[1] == 'b')));
    if (good) factor = 1ULL << (10 * (power + 1));
  }
  const std::string digits = text.substr(0, unit);
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), to);
  good = good && error == std::errc{} && stop == digits.data() + digits.size() && to <= (1ULL << 50) / factor;
  if (!good) return usage(fmt::format("{} must be a size such as 500M or 2G, not '{}'", option, text));
  to *= factor;
  if (to < least) return usage(fmt::format("{} of {} bytes leaves no room", option, to), fmt::format("give it at least {}K", least >> 10));
  return Nothing{};
}

constexpr std::uint64_t kNoMost = std::numeric_limits<std::uint64_t>::max();

// An option that the algorithm has no use for is a misunderstanding, better cleared up before hours are spent.
Error no_use(const std::string& option, const std::string& algorithm, const char* why, const char* next) {
  return usage(fmt::format("{} cannot be combined with --algorithm={}: {}", option, algorithm, why), next);
}

Status fill_sleep_sets(const RawOptions& raw, Config& config) {
  if (raw.sleep_sets.empty()) return Nothing{};
  if (Status s = choose<bool>("--sleep-sets", raw.sleep_sets, {{"on", true}, {"off", false}}, config.sleep_sets); !s) return s;
  const bool rests_on_them = config.algorithm == "auto" || config.algorithm == "optimal" || config.algorithm == "source";
  if (rests_on_them && !config.sleep_sets)
    return no_use("--sleep-sets=off", config.algorithm, "it rests on sleep sets", "leave it out, or use --algorithm=dpor");
  if (!rests_on_them && config.algorithm != "dpor")
    return no_use("--sleep-sets", config.algorithm, "it has no sleep sets", "leave it out, or use --algorithm=dpor");
  return Nothing{};
}

// REQUIRES config.algorithm is known.
Status fill_algorithm_options(const RawOptions& raw, Config& config) {
  const std::string& algorithm = config.algorithm;
  const bool draws = algorithm == "auto" || find_algorithm(algorithm)->samples;
  if (!raw.seed.empty()) {
    if (Status s = whole_number("--seed", raw.seed, 0, kNoMost, config.seed); !s) return s;
    if (!draws) return no_use("--seed", algorithm, "it draws nothing at random", "leave --seed out, or use --algorithm=random, pct or pos");
  }
  if (!raw.pct_depth.empty()) {
    std::uint64_t depth = 0;
    if (Status s = whole_number("--pct-depth", raw.pct_depth, 1, wire::kMaxPctDepth, depth); !s) return s;
    config.pct_depth = static_cast<std::uint16_t>(depth);
    if (algorithm != "pct" && algorithm != "auto")
      return no_use("--pct-depth", algorithm, "only pct has a depth", "leave --pct-depth out, or use --algorithm=pct");
  }
  return fill_sleep_sets(raw, config);
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

Status fill_order(const std::string& text, ExplorationOrder& order) {
  using Kind = ExplorationOrder::Kind;
  std::string rest = text;
  constexpr std::string_view kVisited = ",visited-first";
  if (rest.ends_with(kVisited)) {
    order.visited_first = true;
    rest.resize(rest.size() - kVisited.size());
  }
  const auto colon = rest.find(':');
  const std::string name = rest.substr(0, colon), values = colon == std::string::npos ? "" : rest.substr(colon + 1);
  if (Status s = choose<Kind>("--order", name, {{"run-on", Kind::RunOn}, {"sequential", Kind::Sequential}, {"random", Kind::Random}}, order.kind); !s) return s;
  if (order.kind == Kind::RunOn && colon != std::string::npos) return usage("--order=run-on takes no value", "--order=sequential:2,1,0");
  std::uint64_t number = 0;
  if (order.kind == Kind::Random && !values.empty()) return whole_number("--order=random", values, 0, kNoMost, order.seed);
  if (order.kind != Kind::Sequential) return Nothing{};
  for (const std::string& thread : split(values, ',')) {
    if (Status s = whole_number("--order=sequential", thread, 0, wire::kMostInOrder - 1, number); !s) return s;
    order.threads.push_back(static_cast<std::uint8_t>(number));
  }
  return Nothing{};
}

Status fill_without(const std::string& text, Config& config) {
  WalkOptions& dl = config.dl;
  const std::vector<std::pair<std::string, bool*>> known = {{"safe", &config.safe_sets}, {"once", &dl.each_transition_once}, {"last", &dl.skip_last},
                                                            {"complete", &dl.stop_when_complete}, {"disabled", &dl.stop_at_disabled}};
  for (const std::string& name : split(text, ',')) {
    bool* option = nullptr;
    if (Status s = choose("--without", name, known, option); !s) return s;
    *option = false;
  }
  return Nothing{};
}

// REQUIRES words that there are.
Status check_use_of_without(const std::string& text, const std::string& algorithm) {
  if (algorithm == "dl-spor" || algorithm == "portfolio" || algorithm == "auto" || algorithm == "all") return Nothing{};
  for (const std::string& name : split(text, ',')) {
    const bool is_safe = name == "safe";
    if (is_safe && algorithm == "de-spor") continue;
    return no_use(fmt::format("--without={}", name), algorithm, is_safe ? "only dl-spor and de-spor can do without safe sets" : "this is an optimisation of dl-spor",
                  is_safe ? "leave it out, or use --algorithm=dl-spor or de-spor" : "leave it out, or use --algorithm=dl-spor");
  }
  return Nothing{};
}

// Options that mean something only where states are stored, or may be.
Status check_use_of_states(const RawOptions& raw, const Config& config) {
  const std::string& algorithm = config.algorithm;
  const bool may_store = stores_states(config) || algorithm == "auto" || algorithm == "all";
  const char* next = "leave it out, or use --algorithm=dl-spor";
  if (Status s = check_use_of_without(raw.without, algorithm); !s) return s;
  if (may_store) return Nothing{};
  const RawOptions usual;
  if (raw.order != usual.order) return no_use("--order", algorithm, "it is for searches that store states", next);
  if (raw.livelocks != usual.livelocks) return no_use("--livelocks", algorithm, "cycles are seen where states are stored", next);
  if (!raw.max_memory.empty()) return no_use("--max-memory", algorithm, "it stores no states", next);
  return Nothing{};
}

// What algorithms need that store states.
Status fill_states(const RawOptions& raw, Config& config) {
  if (Status s = fill_order(raw.order, config.order); !s) return s;
  if (Status s = fill_without(raw.without, config); !s) return s;
  if (config.algorithm == "auto") config.livelocks = Livelocks::Certain;
  if (!raw.livelocks.empty())
    if (Status s = choose<Livelocks>("--livelocks", raw.livelocks, {{"certain", Livelocks::Certain}, {"possible", Livelocks::Possible}, {"ignore", Livelocks::Ignore}}, config.livelocks); !s) return s;
  using wire::StateMode;
  const StateMode asked = config.state.value_or(StateMode::None);
  if (config.algorithm == "auto" && asked != StateMode::None) config.algorithm = asked == StateMode::Delta ? "sdpor" : "dl-spor";
  if (Status s = check_use_of_states(raw, config); !s) return s;
  if (!stores_states(config)) {
    if (asked != StateMode::None)
      return usage(fmt::format("algorithm '{}' stores no states, so that --state={} has no use", config.algorithm, raw.state),
                   "leave --state out, or use --algorithm dl-spor");
    return Nothing{};
  }
  if (config.state == StateMode::None)
    return usage(fmt::format("algorithm '{}' stores states, which --state=none keeps it from", config.algorithm), "leave --state out");
  if (config.state == StateMode::Delta && config.algorithm != "dfs" && config.algorithm != "sdpor")
    return usage(fmt::format("algorithm '{}' needs exact states, and --state=delta may tell one state apart into several", config.algorithm),
                 "use --state=exact, or --algorithm sdpor");
  if (raw.visible == "racy")
    return usage(fmt::format("algorithm '{}' stores states and needs --visible=all: where a run is cut at a known state, the race that it would "
                             "have shown is found among accesses that are scheduling points", config.algorithm),
                 "leave --visible out");
  config.visibility = wire::Visibility::All;
  if (!config.state) config.state = StateMode::Exact;
  return Nothing{};
}

Status fill_search(const RawOptions& raw, Config& config) {
  if (auto found = find_algorithm(raw.algorithm); !found) return found.error();
  config.algorithm = raw.algorithm;
  if (Status s = choose<StopAt>("--stop-at", raw.stop_at, {{"first", StopAt::First}, {"all", StopAt::All}}, config.stop_at);
      !s)
    return s;
  using wire::Visibility;
  if (Status s = choose<Visibility>("--visible", raw.visible.empty() ? "racy" : raw.visible, {{"racy", Visibility::Racy}, {"all", Visibility::All}},
                                    config.visibility);
      !s)
    return s;
  if (Status s =
          choose<Races>("--races", raw.races,
                        {{"stop", Races::Stop}, {"explore", Races::Explore}, {"ignore", Races::Ignore}}, config.races);
      !s)
    return s;
  using wire::StateMode;
  const std::vector<std::pair<std::string, StateMode>> states = {
      {"none", StateMode::None}, {"exact", StateMode::Exact}, {"verify", StateMode::Verify}, {"delta", StateMode::Delta}};
  StateMode mode{};
  if (!raw.state.empty()) {
    if (Status s = choose("--state", raw.state, states, mode); !s) return s;
    config.state = mode;
  }
  if (Status s = fill_states(raw, config); !s) return s;
  return fill_algorithm_options(raw, config);
}

// A search that can be saved is one that can be divided: without -j, one worker makes it.
Status fill_checkpoint(const RawOptions& raw, Config& config) {
  config.resume_file = raw.resume;
  config.checkpoint_file = raw.checkpoint.empty() ? raw.resume : raw.checkpoint;
  if (config.workers == 0 && !config.checkpoint_file.empty()) config.workers = 1;
  if (raw.checkpoint_interval.empty()) return Nothing{};
  if (config.checkpoint_file.empty())
    return usage("--checkpoint-interval is for searches that are saved, and --checkpoint is missing",
                 "add --checkpoint FILE, or leave --checkpoint-interval out");
  return seconds("--checkpoint-interval", raw.checkpoint_interval, config.checkpoint_interval_s);
}

// What many workers can do: searches that reverse races, over a fixed set of visible operations, and sampling.
Status fill_workers(const RawOptions& raw, const std::optional<Launched>& launched, Config& config) {
  std::uint64_t number = 0;
  if (!raw.unload_at.empty()) {
    if (Status s = whole_number("--unload-at", raw.unload_at, 0, 1'000'000, number); !s) return s;
    config.unload_at = static_cast<std::uint32_t>(number);
    if (raw.jobs.empty() && !launched) return usage("--unload-at is for many workers, and -j is missing", "add -j N, or leave --unload-at out");
  }
  if (!raw.jobs.empty() && launched) return usage("-j is for one machine; under mpirun the other ranks are the workers", "leave -j out, or mpirun");
  if (launched && launched->size == 1)
    return usage("mpirun started a single rank, which would balance the work of nobody", "use mpirun -np 2 or more, or leave mpirun out");
  if (launched) config.workers = static_cast<std::uint32_t>(launched->size - 1);
  if (!raw.jobs.empty()) {
    if (Status s = whole_number("--jobs", raw.jobs, 1, 1024, number); !s) return s;
    config.workers = static_cast<std::uint32_t>(number);
  }
  if (config.algorithm == "portfolio" && !raw.jobs.empty()) {
    if (!raw.checkpoint.empty() || !raw.resume.empty())
      return usage("--checkpoint and --resume are not for --algorithm=portfolio", "leave them out, or use --algorithm optimal");
    if (number == 1) return usage("a portfolio of one is no portfolio", "use -j 2 or more, or --algorithm dl-spor");
    config.members = static_cast<std::uint32_t>(number);
    config.workers = 0;
    return Nothing{};
  }
  if (Status s = fill_checkpoint(raw, config); !s) return s;
  const bool is_many = config.workers > 0;
  const std::vector<std::pair<std::string, Update>> updates = {{"plain", Update::Plain}, {"aggressive", Update::Aggressive}};
  if (raw.update.empty()) config.update = is_many && config.algorithm == "dpor" ? Update::Aggressive : Update::Plain;
  else if (Status s = choose("--update", raw.update, updates, config.update); !s) return s;
  else if (config.algorithm != "dpor") return usage("--update is for --algorithm=dpor; others decide by themselves", "leave it out");
  if (!is_many) return Nothing{};
  const char* what = launched ? "mpirun" : raw.jobs.empty() ? "--checkpoint (or --resume)" : "-j";
  const std::vector<std::string> divisible = {"auto", "optimal", "source", "dpor", "random", "pct", "pos"};
  if (std::find(divisible.begin(), divisible.end(), config.algorithm) == divisible.end())
    return usage(fmt::format("{} cannot divide the search of --algorithm={}{}", what, config.algorithm,
                             stores_states(config) ? ": all of it has to know the same states" : ""),
                 fmt::format("leave {} out, or use --algorithm optimal", what));
  if (config.state.value_or(wire::StateMode::None) != wire::StateMode::None)
    return usage(fmt::format("{} is not for searches that store states: each worker would know only its own", what),
                 fmt::format("leave {} or --state out", what));
  if (config.races == Races::Explore && config.visibility == wire::Visibility::Racy)
    return usage(fmt::format("{} cannot be combined with --races=explore yet", what), fmt::format("leave {} out, or add --visible=all", what));
  return Nothing{};
}

constexpr std::uint64_t kLeastMemoryMb = 64;  // the runtime alone needs some

// The machine must stay usable when all workers' programs take what they may.
std::uint64_t default_target_memory_mb(std::uint32_t workers) {
  constexpr std::uint64_t kUsual = 4096;
  std::uint64_t bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::uint64_t of_group = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> of_group) bytes = std::min(bytes, of_group);  // "max" is no number
  return std::clamp((bytes >> 20) / 2 / std::max(workers, 1u), kLeastMemoryMb, kUsual);
}

Status fill_limits(const RawOptions& raw, Config& config) {
  std::uint64_t number = 0;
  if (!raw.max_executions.empty()) {
    if (Status s = whole_number("--max-executions", raw.max_executions, 1, kNoMost, number); !s) return s;
    config.max_executions = number;
  }
  double time = 0;
  if (!raw.timeout.empty()) {
    if (Status s = seconds("--timeout", raw.timeout, time); !s) return s;
    config.timeout_s = time;
  }
  if (Status s = whole_number("--max-steps", raw.max_steps, 1, 8'000'000, number); !s) return s;
  config.max_steps = static_cast<std::uint32_t>(number);
  if (raw.timeouts == "any") {
    config.timeouts = 0;
  } else if (!raw.timeouts.empty()) {
    if (!whole_number("--timeouts", raw.timeouts, 1, 250, number))
      return usage(fmt::format("--timeouts must be a whole number from 1 to 250, or any, not '{}'", raw.timeouts));
    config.timeouts = static_cast<std::uint32_t>(number);
  }
  if (!raw.max_memory.empty()) {
    if (Status s = size("--max-memory", raw.max_memory, 1 << 16, number); !s) return s;
    config.max_memory = number;
  }
  if (Status s = seconds("--hang-timeout", raw.hang_timeout, config.hang_timeout_s); !s) return s;
  config.memory_mb = default_target_memory_mb(config.workers);
  if (raw.target_memory.empty()) return Nothing{};
  if (Status s = size("--target-memory", raw.target_memory, kLeastMemoryMb << 20, number); !s) return s;
  config.memory_mb = number >> 20;
  return Nothing{};
}

// What bounds preemptions counts them along a path: sampling draws its schedules.
Status fill_preemptions(const RawOptions& raw, Config& config) {
  if (raw.preemptions.empty()) return Nothing{};
  if (raw.preemptions == "auto") {
    config.preemptions.kind = Preemptions::Growing;
  } else {
    std::uint64_t number = 0;
    if (!whole_number("--preemptions", raw.preemptions, 0, 1'000'000, number))
      return usage(fmt::format("--preemptions must be a whole number from 0 to 1000000, or auto, not '{}'", raw.preemptions));
    config.preemptions = {Preemptions::AtMost, static_cast<std::uint32_t>(number)};
  }
  if (!counts_preemptions(config.algorithm))
    return usage(fmt::format("--preemptions cannot bound --algorithm {}", config.algorithm), "leave one out, or use --algorithm optimal");
  if (stores_states(config))
    return usage("--preemptions cannot be combined with --state: a state would have to remember how it was reached", "leave one of them out");
  return Nothing{};
}

Status fill_program(const RawOptions& raw, Config& config) {
  const std::vector<std::pair<std::string, ExecutorChoice>> executors = {
      {"auto", ExecutorChoice::Auto}, {"rollback", ExecutorChoice::Rollback}, {"fork", ExecutorChoice::Fork}};
  if (Status s = choose("--executor", raw.executor, executors, config.executor); !s) return s;
  std::uint64_t number = 0;
  if (Status s = whole_number("--cpus", raw.cpus, 1, 1024, number); !s) return s;
  config.cpus = static_cast<std::uint32_t>(number);
  for (const std::string& status : raw.allow_exit) {
    if (Status s = whole_number("--allow-exit", status, 1, 255, number); !s) return s;
    config.allowed_exits.push_back(static_cast<int>(number));
  }
  if (config.executor == ExecutorChoice::Fork && config.state.value_or(wire::StateMode::None) != wire::StateMode::None)
    return usage("--executor=fork cannot be combined with --state: a program that needs it has effects outside of its memory",
                 "leave one of them out");
  config.spurious_wakeups = raw.spurious_wakeups;
  config.repair = !raw.no_repair;
  config.weak_cas_fails = raw.weak_cas_fails;
  config.observe_output = raw.observe_output;
  config.cflags = raw.cflags;
  return Nothing{};
}

Status require_writable_directory(const char* option, const std::filesystem::path& directory) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(directory, ignored))
    return usage(fmt::format("{}: {} is not a directory", option, directory.string()),
                 fmt::format("mkdir -p {}", directory.string()));
  if (access(directory.c_str(), W_OK) != 0)
    return usage(fmt::format("{}: cannot write to {}", option, directory.string()), "choose another directory");
  return Nothing{};
}

Status fill_output(const RawOptions& raw, bool trace_dir_given, Config& config) {
  config.json_file = raw.json;
  config.trace_dir = raw.trace_dir;
  config.quiet = raw.quiet;
  config.strict = raw.strict;
  // An unwritable current directory costs the recorded finding only; one that was asked for is a mistake to tell now.
  if (trace_dir_given) {
    if (Status s = require_writable_directory("--trace-dir", raw.trace_dir); !s) return s;
  }
  std::error_code ignored;
  const bool is_device = std::filesystem::is_other(raw.json, ignored);  // a pipe, a terminal, /dev/stdout: nothing is made in its directory
  if (raw.json.empty() || raw.json == "-" || (is_device && access(raw.json.c_str(), W_OK) == 0)) return Nothing{};
  const std::filesystem::path folder = std::filesystem::path(raw.json).parent_path();
  return require_writable_directory("--json", folder.empty() ? "." : folder);
}

// What is written is the path of one search that reverses races.
Status fill_recording(const RawOptions& raw, Config& config) {
  if (raw.record_tree.empty()) return Nothing{};
  const std::vector<std::string> recordable = {"auto", "optimal", "source", "dpor"};
  const bool is_recordable = std::find(recordable.begin(), recordable.end(), config.algorithm) != recordable.end();
  if (config.workers != 0 || !is_recordable || config.preemptions.kind != Preemptions::Any)
    return usage("--record-tree writes down one search of one process by optimal, source or dpor", "leave out -j and --preemptions, or --record-tree");
  config.tree_file = raw.record_tree;
  return Nothing{};
}

// --- words -----------------------------------------------------------------------------------------------------------

Error unknown_option(const CLI::App& app, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& known : option->get_lnames()) names.push_back("--" + known);
  }
  const auto meant = nearest(name, names);
  return meant ? usage(fmt::format("there is no option {}", name), fmt::format("did you mean {}?", *meant))
               : usage(fmt::format("there is no option {}", name));
}

Status fill_words(const CLI::App& app, Config& config) {
  std::vector<std::string> words = app.remaining();
  const bool separated = !words.empty() && words.front() == "--";
  if (separated) words.erase(words.begin());
  if (words.empty()) return usage("which program? none is named", "heddle check PROG [ARGS...]; see `heddle check --help`");
  if (!separated && words.front().size() > 1 && words.front()[0] == '-') return unknown_option(app, words.front());
  config.program = words.front();
  config.arguments.assign(words.begin() + 1, words.end());
  if (!config.cflags.empty() && !is_source_file(config.program)) {
    return usage(fmt::format("--cflags is for source files, and PROG ({}) is none", config.program),
                 "leave it out, or name the source file");
  }
  return Nothing{};
}

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c) || std::strchr("-_=+./,:@%", c); });
  if (plain) return word;
  std::string text = "'";
  for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// The same command, going on from the checkpoint. The last `of_program` words are the program and its arguments.
std::string resume_command(const std::vector<std::string>& words, std::size_t of_program, const std::string& file,
                           const std::optional<Launched>& launched) {
  std::string text = launched ? fmt::format("mpirun -np {} ", launched->size) : "";
  text += "heddle check --resume " + quoted(file);
  const std::size_t options = words.size() - of_program;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_option = i < options;
    if (is_option && (words[i] == "--resume" || words[i] == "--checkpoint")) ++i;
    else if (!is_option || (!words[i].starts_with("--resume=") && !words[i].starts_with("--checkpoint="))) text += " " + quoted(words[i]);
  }
  return text;
}

}  // namespace

Result<CheckCommandLine> parse_check(const std::vector<std::string>& words, const std::optional<Launched>& launched) {
  CheckCommandLine line;
  RawOptions raw;
  CLI::App app;
  describe(app, raw);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them from the back
  } catch (const CLI::CallForHelp&) {
    line.help = true;
    line.help_text = app.help();
    if (const auto at = line.help_text.find("ARGS...] [OPTIONS]"); at != std::string::npos) line.help_text.erase(at + 8, 10);
    return line;
  } catch (const CLI::ParseError& error) {
    return usage(error.what());
  }
  Config& config = line.config;
  if (Status s = fill_search(raw, config); !s) return s.error();
  if (Status s = fill_workers(raw, launched, config); !s) return s.error();
  if (Status s = fill_limits(raw, config); !s) return s.error();
  if (Status s = fill_preemptions(raw, config); !s) return s.error();
  if (Status s = fill_program(raw, config); !s) return s.error();
  config.plain_text = launched.has_value();
  const bool reports = !launched || launched->rank == 0;  // the other ranks' directories need not have the same folders
  if (reports)
    if (Status s = fill_output(raw, app.count("--trace-dir") > 0, config); !s) return s.error();
  if (Status s = fill_recording(raw, config); !s) return s.error();
  if (Status s = fill_words(app, config); !s) return s.error();
  config.resume_command = resume_command(words, app.remaining().size(), config.checkpoint_file, launched);
  return line;
}

Result<std::vector<std::string>> split_words(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote != 0 ? c == quote : (c == '\'' || c == '"')) {
      quote = quote != 0 ? 0 : c;
      in_word = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != 0) return usage(fmt::format("--cflags: a {} is never closed in: {}", quote, text));
  if (in_word) words.push_back(word);
  return words;
}

}  // namespace heddle
