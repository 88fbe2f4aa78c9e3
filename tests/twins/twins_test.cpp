// The runtime against the scripts: generated programs are written as C++ over pthreads, compiled by heddle c++ and explored by
// heddle check. The number of traces and the kinds of findings must be those that plain enumeration of the script has.
// This is where the runtime's operations, their order and their enabledness are held to the model that the algorithms trust.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/splitmix.h"
#include "explore/reduction/optimal.h"
#include "explore/reduction/reference/enumeration.h"
#include "generator.h"
#include "target/process_program.h"
#include "target/scripted/scripted_program.h"
#include "twin_source.h"

namespace heddle::twins {
namespace {

namespace fs = std::filesystem;
using scripted::Script;

constexpr int kTwins = 200;
constexpr std::uint64_t kLimit = 4000;  // interleavings of a script that are worth a test

struct Expected {
  Script script;
  std::uint64_t seed = 0;
  std::uint64_t traces = 0;
  std::set<std::string> kinds;
};

struct Seen {
  std::uint64_t traces = 0, blocked = 0;
  std::set<std::string> kinds;
  std::string verdict;
};

std::set<std::string> kinds_of(const reference::Observations& o) {
  std::set<std::string> kinds;
  if (!o.deadlocks.empty()) kinds.insert("deadlock");
  for (const std::string& failure : o.failures) kinds.insert(failure.find("assertion") != std::string::npos ? "assertion" : "lock-misuse");
  if (!o.races.empty()) kinds.insert("data-race");
  return kinds;
}

std::vector<Expected> choose_scripts() {
  std::vector<Expected> chosen;
  for (std::uint64_t seed = 1; chosen.size() < kTwins; ++seed) {
    Expected e{generated::generate(seed), seed, 0, {}};
    if (!has_twin(e.script)) continue;
    scripted::ScriptedProgram program(e.script);
    const auto all = reference::enumerate(program, kLimit);
    if (!all) continue;
    e.traces = all->traces.size();
    e.kinds = kinds_of(*all);
    chosen.push_back(std::move(e));
  }
  return chosen;
}

// A run that ends early ends before or after main has created the other threads: the twin has more traces than the script.
bool ends_early(const Expected& e) { return exits(e.script) || e.kinds.contains("assertion") || e.kinds.contains("lock-misuse"); }

class Workshop {
 public:
  explicit Workshop(const std::string& compiler) : folder_(fs::temp_directory_path() / fmt::format("heddle-twins-{}-{}", compiler, getpid())) {
    fs::create_directories(folder_);
    setenv("HEDDLE_CXX", compiler.c_str(), 1);
  }
  ~Workshop() { fs::remove_all(folder_); }

  bool compile(const std::vector<Expected>& scripts) const {
    std::ofstream source(folder_ / "twins.cpp");
    source << twin_prelude();
    for (std::size_t i = 0; i < scripts.size(); ++i) source << twin_source(scripts[i].script, static_cast<int>(i));
    source << twin_main(static_cast<int>(scripts.size()));
    source.close();
    return run(fmt::format("{} c++ -std=c++20 -O1 -Wno-unused-label twins.cpp -o twins", HEDDLE_BINARY)) == 0;
  }

  fs::path program() const { return folder_ / "twins"; }

  Seen check(std::size_t number, bool spurious, const std::string& algorithm = "optimal") const {
    fs::remove(folder_ / "out.json");
    fs::remove_all(folder_ / "traces");  // heddle reads all that are there before it names another
    fs::create_directory(folder_ / "traces");
    run(fmt::format("{} check --algorithm={} --visible=all --stop-at=all --quiet --timeout=60 --json out.json --trace-dir traces {} ./twins {} >out.txt 2>err.txt",
                    HEDDLE_BINARY, algorithm, spurious ? "--spurious-wakeups" : "", number));
    Seen seen;
    std::ifstream in(folder_ / "out.json");
    if (!in) return seen;
    const auto json = nlohmann::json::parse(in);
    seen.traces = json["executions"];
    seen.blocked = json["blocked"];
    seen.verdict = json["verdict"];
    for (const auto& finding : json["findings"]) seen.kinds.insert(finding["kind"] == "livelock" ? "deadlock" : finding["kind"].get<std::string>());
    return seen;
  }

 private:
  int run(const std::string& command) const { return std::system(fmt::format("cd {} && {}", folder_.string(), command).c_str()); }
  fs::path folder_;
};

void compare(const std::string& compiler) {
  const std::vector<Expected> scripts = choose_scripts();
  const Workshop workshop(compiler);
  ASSERT_TRUE(workshop.compile(scripts));
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    const Expected& e = scripts[i];
    const Seen seen = workshop.check(i, e.script.spurious_wakeups);
    SCOPED_TRACE(fmt::format("seed {} (twin {}), verdict {}\n{}", e.seed, i, seen.verdict, scripted::as_cpp(e.script)));
    EXPECT_EQ(seen.kinds, e.kinds);
    EXPECT_EQ(seen.blocked, 0u);
    if (!spins(e.script) && !ends_early(e)) {
      EXPECT_EQ(seen.traces, e.traces);
    }
  }
}

// --- searches that store states -----------------------------------------------------------------------------------------------------

// Every algorithm, with every kind of captured state and order, on real programs. Where failed tries or time-outs order nothing, a search that stores states may miss races, and says
// that it has not verified the program.
TEST(Twins, StatefulSearchesAgreeWithTheScripts) {
  const char* const searches[] = {"dfs --state=exact", "dfs --state=verify", "dfs --state=delta", "spor", "spor --state=verify --order=random:5",
                                  "dl-spor --order=sequential:3,2,1", "dl-spor --state=verify", "dl-spor --without=last --order=random:7,visited-first",
                                  "dl-spor --without=safe --order=sequential", "de-spor --order=random:7", "de-spor --state=verify", "de-spor --without=safe", "sdpor", "sdpor --state=verify --order=sequential",
                                  "sdpor --state=delta", "o-dpor --state=verify", "o-dpor --order=sequential:3,2,1"};
  std::vector<Expected> scripts = choose_scripts();
  scripts.resize(16);
  const Workshop workshop("g++");
  ASSERT_TRUE(workshop.compile(scripts));
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    const Expected& e = scripts[i];
    for (const char* search : searches) {
      Seen seen = workshop.check(i, e.script.spurious_wakeups, search);
      SCOPED_TRACE(fmt::format("{}: seed {} (twin {}), verdict {}\n{}", search, e.seed, i, seen.verdict, scripted::as_cpp(e.script)));
      if (seen.verdict == "within-bound" && e.kinds.contains("data-race")) seen.kinds.insert("data-race");
      EXPECT_EQ(seen.kinds, e.kinds);
    }
  }
}

// --- running ahead -----------------------------------------------------------------------------------------------------------------

std::unique_ptr<ProcessProgram> start(const fs::path& program, std::size_t number) {
  ProcessOptions options;
  options.path = program.string();
  options.arguments = {std::to_string(number)};
  options.wire.visibility = wire::Visibility::All;
  auto started = ProcessProgram::start(std::move(options));
  if (!started) return nullptr;
  return std::move(started).value();
}

std::string text_of(const Trace& trace) {
  std::string text = fmt::format("end {}\n", static_cast<int>(trace.end));
  for (const Event& e : trace.events)
    text += fmt::format("{} {} {} {} {:x} {:x} {:x} {:x}\n", e.thread, static_cast<int>(e.op), e.alternative, e.outcome, e.object, e.pc,
                        e.enabled.word[0], e.alternatives.word[0]);
  for (const Pending& p : trace.pending) text += fmt::format("pending {} {} {}\n", p.thread, static_cast<int>(p.op), p.enabled);
  for (const wire::Report& r : trace.reports) text += fmt::format("report {} {:x} {:x}\n", static_cast<int>(r.kind), r.pc, r.other_pc);
  return text;
}

// A target that is told what comes next, truly or not, does the same as one that is told nothing.
TEST(Twins, WhatIsRunAheadIsWhatWasAskedFor) {
  std::vector<Expected> scripts = choose_scripts();
  scripts.resize(24);
  const Workshop workshop("g++");
  ASSERT_TRUE(workshop.compile(scripts));
  SplitMix random(7);
  auto below = [&](std::uint64_t n) { return random.next() % n; };
  int kept_promises = 0;
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    const auto told = start(workshop.program(), i), untold = start(workshop.program(), i);
    ASSERT_TRUE(told && untold);
    std::vector<Choice> last;
    std::uint32_t promised = 0;
    for (int round = 0; round < 60; ++round) {
      Request request;
      request.prefix.assign(last.begin(), last.begin() + static_cast<std::ptrdiff_t>(below(last.size() + 1)));
      if (promised > 0 && request.prefix.size() >= promised) ++kept_promises;
      if (below(4) == 0) {
        request.policy = wire::Policy::Random;
        request.seed = random.next();
      }
      const Result<Trace> expected = untold->run(request);
      ASSERT_TRUE(expected);
      promised = request.next_shares = static_cast<std::uint32_t>(below(expected->events.size() + 2));
      const Result<Trace> trace = told->run(request);
      ASSERT_TRUE(trace);
      ASSERT_EQ(text_of(*trace), text_of(*expected)) << scripted::as_cpp(scripts[i].script);
      last = choices_of(*trace);
      if (!last.empty() && below(3) == 0) std::swap(last.front(), last.back());  // most likely not what the next run can do
    }
  }
  EXPECT_GT(kept_promises, 100);
}

// --- waits ---------------------------------------------------------------------------------------------------------------------------

// Seen to fail when an await tells another number of operations. Laps of a real loop and of its script are not the same ones, so that the real program is enumerated, too.
void compare_waits(const std::string& compiler) {
  constexpr std::uint64_t kInterleavings = 8000;
  std::vector<Expected> scripts;
  for (std::uint64_t seed = 1; scripts.size() < 40; ++seed) {
    Expected e{generated::generate_waits(seed), seed, 0, {}};
    scripted::ScriptedProgram program(e.script);
    if (e.script.threads.size() < 4 && reference::enumerate(program, 80)) scripts.push_back(std::move(e));
  }
  const Workshop workshop(compiler);
  ASSERT_TRUE(workshop.compile(scripts));
  int compared = 0;
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    const auto program = start(workshop.program(), i);
    ASSERT_TRUE(program);
    const auto all = reference::enumerate(*program, kInterleavings);
    if (!all) continue;
    Optimal optimal;
    const auto seen = reference::search(*program, optimal, 2 * kInterleavings);
    SCOPED_TRACE(fmt::format("seed {}\n{}", scripts[i].seed, scripted::as_cpp(scripts[i].script)));
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->difference(*all), "");
    EXPECT_EQ(seen->executions, all->traces.size());
    EXPECT_EQ(seen->blocked, 0u);
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

TEST(Twins, GccsWaitsForSeveralLocations) { compare_waits("g++"); }
TEST(Twins, ClangsWaitsForSeveralLocations) { compare_waits("clang++"); }

TEST(Twins, GccAgreesWithTheScripts) { compare("g++"); }
TEST(Twins, ClangAgreesWithTheScripts) { compare("clang++"); }

}  // namespace
}  // namespace heddle::twins
