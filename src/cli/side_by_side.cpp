#include "cli/side_by_side.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "explore/interrupt.h"
#include "explore/reduction/registry.h"
#include "report/json_reporter.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "heddle-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// One check in a process of its own, what it prints in a file. It gets interrupts from us, and those of the terminal;
// without us it has nothing to live for.
pid_t start(const Config& config, const CheckFunction& check, const fs::path& output) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(static_cast<int>(ExitCode::Incomplete));
  catch_interrupts(SecondInterrupt::IsTheSame);
  const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (file < 0 || nowhere < 0) _exit(static_cast<int>(ExitCode::Usage));
  dup2(file, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  const int code = check(config);
  std::fflush(stdout);
  _exit(code);
}

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Waits for one of `processes`, and hands our own interrupts on to all of them. Looks again and again: an interrupt may come
// just before a wait that it should have ended.
pid_t await_one(const std::vector<pid_t>& processes, int& status) {
  bool told = false;
  for (;;) {
    for (pid_t p : processes)
      if (p > 0 && waitpid(p, &status, WNOHANG) == p) return p;
    if (interrupted() && !told) {
      told = true;
      for (pid_t p : processes)
        if (p > 0) kill(p, SIGTERM);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

int exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : static_cast<int>(ExitCode::Internal); }

struct Entry {
  std::string name;
  Config config;
};

// The exhaustive algorithms, dfs with and without states.
std::vector<Entry> entries_of(const Config& config) {
  std::vector<Entry> entries;
  for (const char* name : {"optimal", "source", "dpor", "dfs", "dfs", "spor", "dl-spor", "de-spor", "sdpor", "o-dpor"}) {
    Config c = config;
    c.algorithm = name;
    const bool again = !entries.empty() && entries.back().name == name;
    c.state.reset();
    if (again || stores_states(c)) c.state = wire::StateMode::Exact;
    if (!c.timeout_s) c.timeout_s = 60;
    c.visibility = wire::Visibility::All;
    c.quiet = true;
    entries.push_back({again ? "dfs, states" : name, c});
  }
  return entries;
}

constexpr const char* kHead = "algorithm   verdict         executions     blocked    revisits   transitions      states         time     memory";

// The counts that the algorithm alone would print, under the same names.
void print_row(const std::string& name, const json& r) {
  auto count = [&r](const char* what) { return r.value(what, 0ULL); };
  auto of_states = [&](const char* what) { return count("states") ? fmt::format("{}", count(what)) : "-"; };
  fmt::print("{:<12}{:<14}{:>12}{:>12}{:>12}{:>14}{:>12}{:>11.3f} s{:>8} MB\n", name, r.value("verdict", "error"), count("executions"), count("blocked"),
             of_states("revisits"), count("transitions"), of_states("states"), r.value("time_s", 0.0), (count("peak_rss_kb") + 1023) / 1024);
  std::fflush(stdout);
}

}  // namespace

int compare_algorithms(const Config& config, const CheckFunction& check) {
  TemporaryFolder folder;
  if (folder.path().empty()) return print_error({"cannot make a temporary folder", "set TMPDIR to one that can be written to"});
  fmt::print("{}\n", kHead);
  json results = json::array();
  bool bug = false, clean = false, within = false;
  for (Entry& entry : entries_of(config)) {
    if (interrupted()) break;
    entry.config.json_file = (folder.path() / "result.json").string();
    entry.config.trace_dir = folder.path().string();
    std::error_code ignored;
    fs::remove(entry.config.json_file, ignored);
    const pid_t child = start(entry.config, check, folder.path() / "output");
    if (child < 0) return print_error({"cannot start a process", "see whether there are too many (ulimit -u)"});
    int status = 0;
    await_one({child}, status);
    const json result = json::parse(contents(entry.config.json_file), nullptr, false);
    if (!result.is_object()) {
      fmt::print("{:<12}ended with {}\n", entry.name, exit_status(status));
      continue;
    }
    print_row(entry.name, result);
    results.push_back(result);
    bug |= result.value("verdict", "") == "bug";
    const std::string verdict = result.value("verdict", "");
    clean |= verdict == "verified";
    within |= verdict == "within-bound";
  }
  if (!config.json_file.empty()) {
    const std::string text = json{{"schema", kJsonSchema}, {"algorithms", results}}.dump(2) + "\n";
    if (config.json_file == "-") std::cout << text;
    else std::ofstream(config.json_file) << text;
  }
  if (bug && clean) return print_error({"the algorithms disagree about this program: one of them is wrong", "please report it", ExitCode::Internal});
  return static_cast<int>(bug ? ExitCode::Bug : clean || (within && !config.strict) ? ExitCode::Ok : ExitCode::Incomplete);
}

namespace {

// spor and dl-spor in turns; the first two as they are, then with thread orders turned round and random ones.
std::vector<Config> members_of(const Config& config) {
  using Kind = ExplorationOrder::Kind;
  std::vector<Config> members;
  for (std::uint32_t i = 0; i < config.members; ++i) {
    Config c = config;
    c.algorithm = i % 2 ? "dl-spor" : "spor";
    const std::uint32_t round = i / 2;
    if (round == 1) {
      c.order.kind = Kind::Sequential;
      c.order.threads.clear();
      for (int t = wire::kMostInOrder - 1; t >= 0; --t) c.order.threads.push_back(static_cast<std::uint8_t>(t));
    } else if (round > 1) {
      c.order.kind = Kind::Random;
      c.order.seed = config.seed + i;
    }
    c.quiet = true;
    members.push_back(c);
  }
  return members;
}

bool is_verdict(int code) {
  return code == static_cast<int>(ExitCode::Ok) || code == static_cast<int>(ExitCode::Bug);
}

// A verdict is more than none, and somebody who came to his end has more to say than one who was killed.
bool says_more(int code, int than) {
  auto worth = [](int c) { return is_verdict(c) ? 2 : c != static_cast<int>(ExitCode::Internal) ? 1 : 0; };
  return worth(code) > worth(than);
}

void stop(std::vector<pid_t>& processes) {
  for (pid_t p : processes)
    if (p > 0) kill(p, SIGTERM);
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  for (pid_t& p : processes) {
    while (p > 0 && waitpid(p, nullptr, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() > patience) kill(p, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    p = 0;
  }
}

}  // namespace

int run_portfolio(const Config& config, const CheckFunction& check) {
  TemporaryFolder folder;
  if (folder.path().empty()) return print_error({"cannot make a temporary folder", "set TMPDIR to one that can be written to"});
  std::vector<Config> members = members_of(config);
  std::vector<pid_t> processes;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!config.json_file.empty()) members[i].json_file = (folder.path() / fmt::format("{}.json", i)).string();
    processes.push_back(start(members[i], check, folder.path() / fmt::format("{}", i)));
    if (processes.back() > 0) continue;
    stop(processes);
    return print_error({"cannot start a process", "see whether there are too many (ulimit -u)"});
  }
  int code = static_cast<int>(ExitCode::Internal);  // of one that was killed
  std::size_t winner = 0;
  for (std::size_t left = members.size(); left > 0 && !is_verdict(code); --left) {
    int status = 0;
    const pid_t ended = await_one(processes, status);
    const auto member = static_cast<std::size_t>(std::find(processes.begin(), processes.end(), ended) - processes.begin());
    processes[member] = 0;
    const int its_code = exit_status(status);
    if (!says_more(its_code, code)) continue;
    winner = member;
    code = its_code;
  }
  stop(processes);
  if (code == static_cast<int>(ExitCode::Internal))
    return print_error({"every process of the portfolio was killed, or failed", "try one alone, with --algorithm spor",
                        ExitCode::Internal});
  const std::string text = contents(folder.path() / fmt::format("{}", winner));
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  if (config.json_file == "-") std::cout << contents(members[winner].json_file);
  else if (!config.json_file.empty()) std::ofstream(config.json_file) << contents(members[winner].json_file);
  return code;
}

}  // namespace heddle
