// The command line of `heddle check`: what is taken, what is refused and how.
#include "cli/config.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

Config good(const std::vector<std::string>& words) {
  Result<CheckCommandLine> line = parse_check(words);
  EXPECT_TRUE(line.ok()) << (line.ok() ? "" : line.error().what);
  return line.ok() ? line->config : Config{};
}

Error bad(const std::vector<std::string>& words) {
  Result<CheckCommandLine> line = parse_check(words);
  EXPECT_FALSE(line.ok());
  if (line.ok()) return {};
  EXPECT_EQ(line.error().code, ExitCode::Usage);
  EXPECT_EQ(line.error().what.find('\n'), std::string::npos) << line.error().what;
  EXPECT_FALSE(line.error().next.empty());
  return line.error();
}

TEST(CheckConfig, Defaults) {
  const Config config = good({"./prog"});
  EXPECT_EQ(config.program, "./prog");
  EXPECT_EQ(config.algorithm, "auto");
  EXPECT_EQ(config.stop_at, StopAt::First);
  EXPECT_EQ(config.max_steps, 100000u);
  EXPECT_FALSE(config.max_executions);
  EXPECT_FALSE(config.timeout_s);
}

TEST(CheckConfig, WhatFollowsTheProgramIsItsOwn) {
  const Config config = good({"--algorithm", "dfs", "./prog", "--algorithm", "x", "-q", "--", "1"});
  EXPECT_EQ(config.algorithm, "dfs");
  EXPECT_EQ(config.arguments, (std::vector<std::string>{"--algorithm", "x", "-q", "--", "1"}));
  EXPECT_FALSE(config.quiet);
}

TEST(CheckConfig, EveryOptionArrives) {
  const Config config = good({"--algorithm=random", "--seed=7", "--stop-at=all", "--visible=all", "--races=explore",
                              "--max-executions=10", "--timeout=1.5", "--max-steps=20", "--hang-timeout=2",
                              "--target-memory=512M",
                              "--executor=fork", "--cpus=2", "--allow-exit=3", "--allow-exit=4", "--spurious-wakeups",
                              "--weak-cas-fails", "--quiet", "--json=-", "--cflags=-O2 -DX=1", "prog.cpp"});
  EXPECT_EQ(config.algorithm, "random");
  EXPECT_EQ(config.seed, 7u);
  EXPECT_EQ(config.stop_at, StopAt::All);
  EXPECT_EQ(config.visibility, wire::Visibility::All);
  EXPECT_EQ(config.races, Races::Explore);
  EXPECT_EQ(config.max_executions, 10u);
  EXPECT_EQ(config.timeout_s, 1.5);
  EXPECT_EQ(config.max_steps, 20u);
  EXPECT_EQ(config.hang_timeout_s, 2);
  EXPECT_EQ(config.memory_mb, 512u);
  EXPECT_EQ(config.executor, ExecutorChoice::Fork);
  EXPECT_EQ(config.cpus, 2u);
  EXPECT_EQ(config.allowed_exits, (std::vector<int>{3, 4}));
  EXPECT_TRUE(config.spurious_wakeups);
  EXPECT_TRUE(config.weak_cas_fails);
  EXPECT_TRUE(config.quiet);
  EXPECT_EQ(config.json_file, "-");
  EXPECT_EQ(config.cflags, "-O2 -DX=1");
}

TEST(CheckConfig, StatesAndTheirMemory) {
  EXPECT_FALSE(good({"./prog"}).state);
  EXPECT_EQ(good({"--state=none", "./prog"}).state, wire::StateMode::None);
  EXPECT_EQ(good({"--state=exact", "./prog"}).state, wire::StateMode::Exact);
  EXPECT_EQ(good({"--state=verify", "./prog"}).state, wire::StateMode::Verify);
  EXPECT_EQ(good({"--state=delta", "./prog"}).state, wire::StateMode::Delta);
  EXPECT_EQ(good({"--max-memory=65536", "./prog"}).max_memory, 65536u);
  EXPECT_EQ(good({"--max-memory=64k", "./prog"}).max_memory, 65536u);
  EXPECT_EQ(good({"--max-memory=500M", "./prog"}).max_memory, 500u << 20);
  EXPECT_EQ(good({"--max-memory=2GB", "./prog"}).max_memory, 2ULL << 30);
}

TEST(CheckConfig, BadStatesAndMemory) {
  EXPECT_NE(bad({"--state=exakt", "./prog"}).next.find("exact"), std::string::npos);
  EXPECT_NE(bad({"--max-memory=1K", "./prog"}).what.find("no room"), std::string::npos);
  for (const char* size : {"G", "2X", "2GiB", "-1G", "1.5G", "99999999999G", "18446744073709551616"}) {
    EXPECT_NE(bad({std::string("--max-memory=") + size, "./prog"}).what.find("size such as"), std::string::npos) << size;
  }
  EXPECT_NE(bad({"--state=exact", "--executor=fork", "./prog"}).what.find("--executor=fork"), std::string::npos);
}

TEST(CheckConfig, WorkersShareTheMachinesMemory) {
  const auto one = good({"./prog"}).memory_mb, many = good({"-j", "1024", "./prog"}).memory_mb;
  EXPECT_GT(one, 0u);
  EXPECT_LE(one, 4096u);
  EXPECT_LT(many, one);
}

TEST(CheckConfig, AlgorithmsThatStoreStates) {
  const Config config = good({"--algorithm=dl-spor", "--order=sequential:2,0,1,visited-first", "--without=once,last", "./prog"});
  EXPECT_EQ(config.state, wire::StateMode::Exact);
  EXPECT_EQ(config.visibility, wire::Visibility::All);
  EXPECT_EQ(config.order.kind, ExplorationOrder::Kind::Sequential);
  EXPECT_EQ(config.order.threads, (std::vector<std::uint8_t>{2, 0, 1}));
  EXPECT_TRUE(config.order.visited_first);
  EXPECT_FALSE(config.dl.each_transition_once);
  EXPECT_FALSE(config.dl.skip_last);
  EXPECT_TRUE(config.dl.stop_when_complete);
  EXPECT_TRUE(config.safe_sets);
  EXPECT_FALSE(good({"--algorithm=dl-spor", "--without=last,safe", "./prog"}).safe_sets);
  EXPECT_FALSE(good({"--algorithm=de-spor", "--without=safe", "./prog"}).safe_sets);
  EXPECT_EQ(good({"--algorithm=spor", "--order=random:7", "./prog"}).order.seed, 7u);
  EXPECT_EQ(good({"--state=verify", "./prog"}).algorithm, "dl-spor");  // auto, with states
  EXPECT_EQ(good({"--algorithm=portfolio", "-j", "6", "./prog"}).members, 6u);
  EXPECT_EQ(good({"--algorithm=spor", "--livelocks=ignore", "./prog"}).livelocks, Livelocks::Ignore);
  EXPECT_EQ(good({"--algorithm=spor", "./prog"}).livelocks, Livelocks::Possible);
  EXPECT_EQ(good({"./prog"}).livelocks, Livelocks::Certain);
}

TEST(CheckConfig, CombinationsOfStoredStatesThatMakeNoSense) {
  EXPECT_NE(bad({"--algorithm=dl-spor", "--state=delta", "./prog"}).what.find("exact states"), std::string::npos);
  EXPECT_NE(bad({"--algorithm=spor", "--state=none", "./prog"}).what.find("--state=none"), std::string::npos);
  EXPECT_NE(bad({"--algorithm=optimal", "--state=exact", "./prog"}).what.find("stores no states"), std::string::npos);
  EXPECT_NE(bad({"--algorithm=spor", "--visible=racy", "./prog"}).what.find("--visible=all"), std::string::npos);
  EXPECT_NE(bad({"--algorithm=spor", "-j", "2", "./prog"}).what.find("same states"), std::string::npos);
  EXPECT_NE(bad({"--algorithm=portfolio", "-j", "1", "./prog"}).what.find("portfolio"), std::string::npos);
  EXPECT_NE(bad({"--algorithm=spor", "--max-memory=1K", "./prog"}).what.find("no room"), std::string::npos);
  EXPECT_NE(bad({"--algorithm=spor", "--order=sideways", "./prog"}).what.find("--order"), std::string::npos);
  EXPECT_NE(bad({"--algorithm=spor", "--order=sequential:x", "./prog"}).what.find("--order"), std::string::npos);
  EXPECT_NE(bad({"--algorithm=spor", "--order=run-on:1", "./prog"}).what.find("--order"), std::string::npos);
  EXPECT_NE(bad({"--algorithm=dl-spor", "--without=twice", "./prog"}).what.find("--without"), std::string::npos);
}

TEST(CheckConfig, HelpNamesEveryAlgorithmAndOption) {
  Result<CheckCommandLine> line = parse_check({"--help"});
  ASSERT_TRUE(line.ok());
  ASSERT_TRUE(line->help);
  for (const char* word : {"dfs", "random", "--races", "--executor", "--json", "--weak-cas-fails", "Exit codes"}) {
    EXPECT_NE(line->help_text.find(word), std::string::npos) << word;
  }
}

TEST(CheckConfig, UnknownOptionGetsASuggestion) {
  EXPECT_NE(bad({"--algoritm=dfs", "./prog"}).next.find("--algorithm"), std::string::npos);
  EXPECT_NE(bad({"--max-execution", "3", "./prog"}).next.find("--max-executions"), std::string::npos);
  EXPECT_NE(bad({"--xyzzy", "./prog"}).what.find("--xyzzy"), std::string::npos);
}

TEST(CheckConfig, UnknownAlgorithmGetsASuggestion) {
  EXPECT_NE(bad({"--algorithm", "radnom", "./prog"}).next.find("random"), std::string::npos);
}

TEST(CheckConfig, WrongValuesAreRefusedByName) {
  const std::vector<std::pair<std::string, std::string>> wrong = {{"--max-executions", "0"},
                                                                  {"--max-executions", "-5"},
                                                                  {"--max-executions", "many"},
                                                                  {"--max-executions", "1e9999"},
                                                                  {"--timeout", "0"},
                                                                  {"--timeout", "-1"},
                                                                  {"--timeout", "nan"},
                                                                  {"--max-steps", "0"},
                                                                  {"--preemptions", "-1"},
                                                                  {"--preemptions", "x"},
                                                                  {"--preemptions", "1.5"},
                                                                  {"--preemptions", "Auto"},
                                                                  {"--hang-timeout", "0"},
                                                                  {"--target-memory", "1M"},
                                                                  {"--cpus", "0"},
                                                                  {"--seed", "-1"},
                                                                  {"--pct-depth", "0"},
                                                                  {"--pct-depth", "65"},
                                                                  {"--sleep-sets", "perhaps"},
                                                                  {"--jobs", "0"},
                                                                  {"--stop-at", "last"},
                                                                  {"--visible", "none"},
                                                                  {"--races", "stopp"},
                                                                  {"--executor", "spoon"},
                                                                  {"--allow-exit", "300"},
                                                                  {"--trace-dir", "/nowhere/at/all"},
                                                                  {"--json", "/nowhere/at/all/x.json"}};
  for (const auto& [option, value] : wrong) {
    EXPECT_NE(bad({option + "=" + value, "./prog"}).what.find(option), std::string::npos) << option << "=" << value;
  }
}

TEST(CheckConfig, MissingProgramAndMissingValue) {
  EXPECT_NE(bad({}).what.find("program"), std::string::npos);
  EXPECT_NE(bad({"--algorithm"}).what.find("--algorithm"), std::string::npos);
}

TEST(CheckConfig, Preemptions) {
  EXPECT_EQ(good({"./prog"}).preemptions.kind, Preemptions::Any);
  const Preemptions two = good({"--preemptions=2", "./prog"}).preemptions;
  EXPECT_EQ(two.kind, Preemptions::AtMost);
  EXPECT_EQ(two.most, 2u);
  EXPECT_EQ(good({"--preemptions", "auto", "--algorithm=dfs", "./prog"}).preemptions.kind, Preemptions::Growing);
}

TEST(CheckConfig, PreemptionsWithWhatCannotCountThemNamesBoth) {
  for (const std::string algorithm : {"random", "pct", "pos"}) {
    const Error error = bad({"--preemptions=1", "--algorithm", algorithm, "./prog"});
    EXPECT_NE(error.what.find("--preemptions"), std::string::npos);
    EXPECT_NE(error.what.find("--algorithm " + algorithm), std::string::npos);
  }
}

TEST(CheckConfig, WhatHasNoSleepSetsCanBeDivided) {
  EXPECT_EQ(good({"--preemptions=auto", "-j", "2", "./prog"}).workers, 2u);
  EXPECT_EQ(good({"--preemptions=2", "--checkpoint=c", "./prog"}).workers, 1u);
  EXPECT_EQ(good({"-a", "dpor", "--sleep-sets=off", "-j2", "./prog"}).workers, 2u);
}

TEST(CheckConfig, ContradictionNamesBoth) {
  struct Pair {
    std::vector<std::string> options;
    std::string one, other;
  };
  const std::vector<Pair> contradictions = {
      {{"--cflags=-O2"}, "--cflags", "./prog"},
      {{"--seed=2", "-a", "optimal"}, "--seed", "--algorithm=optimal"},
      {{"--seed=2", "-a", "dfs"}, "--seed", "--algorithm=dfs"},
      {{"--pct-depth=2", "-a", "pos"}, "--pct-depth", "--algorithm=pos"},
      {{"--pct-depth=2", "-a", "source"}, "--pct-depth", "--algorithm=source"},
      {{"--sleep-sets=off"}, "--sleep-sets=off", "--algorithm=auto"},
      {{"--sleep-sets=off", "-a", "optimal"}, "--sleep-sets=off", "--algorithm=optimal"},
      {{"--sleep-sets=off", "-a", "source"}, "--sleep-sets=off", "--algorithm=source"},
      {{"--sleep-sets=on", "-a", "dfs"}, "--sleep-sets", "--algorithm=dfs"},
      {{"--sleep-sets=off", "-a", "pct"}, "--sleep-sets", "--algorithm=pct"},
      {{"--unload-at=3"}, "--unload-at", "-j"},
      {{"--checkpoint-interval=5"}, "--checkpoint-interval", "--checkpoint is missing"},
      {{"--without=once", "-a", "spor"}, "--without=once", "--algorithm=spor"},
      {{"--without=safe,once", "-a", "de-spor"}, "--without=once", "--algorithm=de-spor"},
      {{"--without=safe", "-a", "spor"}, "--without=safe", "--algorithm=spor"},
      {{"--without=safe", "-a", "o-dpor"}, "--without=safe", "--algorithm=o-dpor"},
      {{"--without=safe", "-a", "dfs"}, "--without=safe", "--algorithm=dfs"},
      {{"--order=random", "-a", "optimal"}, "--order", "--algorithm=optimal"},
      {{"--livelocks=ignore", "-a", "dfs"}, "--livelocks", "--algorithm=dfs"},
      {{"--max-memory=1G", "-a", "pct"}, "--max-memory", "--algorithm=pct"},
      {{"-j2", "-a", "dfs"}, "-j", "--algorithm=dfs"},
      {{"-j2", "--races=explore"}, "-j", "--races=explore"},
  };
  for (const Pair& c : contradictions) {
    std::vector<std::string> words = c.options;
    words.push_back("./prog");
    const Error error = bad(words);
    EXPECT_NE(error.what.find(c.one), std::string::npos) << error.what;
    EXPECT_NE(error.what.find(c.other), std::string::npos) << error.what;
  }
}

TEST(CheckConfig, OptionsOfOneAlgorithmAreTakenWithIt) {
  EXPECT_EQ(good({"-a", "pct", "--pct-depth=5", "--seed=9", "./prog"}).pct_depth, 5u);
  EXPECT_EQ(good({"--pct-depth=2", "--seed=4", "./prog"}).seed, 4u);  // auto may come to sampling
  EXPECT_FALSE(good({"-a", "dpor", "--sleep-sets=off", "./prog"}).sleep_sets);
  EXPECT_TRUE(good({"-a", "optimal", "--sleep-sets=on", "./prog"}).sleep_sets);
}

TEST(SplitWords, AsAShellWould) {
  EXPECT_EQ(*split_words("-O2  -DA='x y' -DB=\"p\\\"q\" a\\ b ''"),
            (std::vector<std::string>{"-O2", "-DA=x y", "-DB=p\"q", "a b", ""}));
  EXPECT_TRUE(split_words("")->empty());
  EXPECT_FALSE(split_words("-D'x").ok());
}

}  // namespace
}  // namespace heddle
