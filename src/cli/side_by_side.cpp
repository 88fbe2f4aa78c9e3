#include "cli/side_by_side.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

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

// One check in a process of its own, what it prints in a file.
pid_t start(const Config& config, const CheckFunction& check, const fs::path& output) {
  const pid_t child = fork();
  if (child != 0) return child;
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
  bool bug = false, clean = false;
  for (Entry& entry : entries_of(config)) {
    if (interrupted()) break;
    entry.config.json_file = (folder.path() / "result.json").string();
    entry.config.trace_dir = folder.path().string();
    std::error_code ignored;
    fs::remove(entry.config.json_file, ignored);
    const pid_t child = start(entry.config, check, folder.path() / "output");
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) kill(child, SIGTERM);
    const json result = json::parse(contents(entry.config.json_file), nullptr, false);
    if (!result.is_object()) {
      fmt::print("{:<12}ended with {}\n", entry.name, exit_status(status));
      continue;
    }
    print_row(entry.name, result);
    results.push_back(result);
    bug |= result.value("verdict", "") == "bug";
    clean |= result.value("verdict", "") == "verified";
  }
  if (!config.json_file.empty()) {
    const std::string text = json{{"schema", 1}, {"algorithms", results}}.dump(2) + "\n";
    if (config.json_file == "-") std::cout << text;
    else std::ofstream(config.json_file) << text;
  }
  if (bug && clean) return print_error({"the algorithms disagree about this program: one of them is wrong", "please report it", ExitCode::Internal});
  return static_cast<int>(bug ? ExitCode::Bug : clean ? ExitCode::Ok : ExitCode::Incomplete);
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
  }
  int code = static_cast<int>(ExitCode::Incomplete);
  std::size_t winner = 0;
  for (std::size_t left = members.size(); left > 0;) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    if (ended < 0 && errno == EINTR) {
      for (pid_t p : processes)
        if (p > 0) kill(p, SIGTERM);
      continue;
    }
    if (ended < 0) break;
    for (std::size_t i = 0; i < processes.size(); ++i) {
      if (processes[i] != ended) continue;
      processes[i] = 0;
      --left;
      winner = i;
      code = exit_status(status);
    }
    if (is_verdict(code)) break;
  }
  stop(processes);
  const std::string text = contents(folder.path() / fmt::format("{}", winner));
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  if (config.json_file == "-") std::cout << contents(members[winner].json_file);
  else if (!config.json_file.empty()) std::ofstream(config.json_file) << contents(members[winner].json_file);
  return code;
}

}  // namespace heddle
