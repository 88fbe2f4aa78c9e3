#include "cli/search_facts.h"

#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "explore/reduction/registry.h"
#include "replay/build_id.h"

namespace heddle {
namespace {

const char* on_or_off(bool value) { return value ? "on" : "off"; }

const char* races_name(Races races) {
  switch (races) {
    case Races::Stop:
      return "stop";
    case Races::Explore:
      return "explore";
    case Races::Ignore:
      return "ignore";
  }
  return "";
}

std::string preemptions_text(const Preemptions& preemptions) {
  switch (preemptions.kind) {
    case Preemptions::Any:
      return "";
    case Preemptions::AtMost:
      return fmt::format("{}", preemptions.most);
    case Preemptions::Growing:
      return "auto";
  }
  return "";
}

// An empty file, as every rank of mpirun gets, is as good as no input.
std::string input_of(const RunFacts& run) {
  const Result<std::string> nothing = file_hash("/dev/null");
  if (nothing && run.input_hash == *nothing) return "";
  return run.input_hash.empty() ? run.input_text : run.input_hash;
}

}  // namespace

SearchFacts search_facts(const Config& config, const RunFacts& run) {
  SearchFacts facts;
  auto add = [&](const std::string& name, const std::string& value) { facts.emplace_back(name, value); };
  add("heddle", heddle_version());
  for (std::size_t i = 0; i < run.modules.size(); ++i) {
    const std::string name = std::filesystem::path(run.modules[i].path).filename().string();
    if (i == 0) add("the program's build", run.modules[i].build_id);
    else if (!run.modules[i].build_id.empty()) add("the build of " + name, run.modules[i].build_id);
  }
  add("the program's arguments", fmt::format("{}", fmt::join(config.arguments, " ")));
  add("the program's input", input_of(run));
  // mpirun sets this one. What it decides is which libraries are loaded, and those are compared above.
  const std::string_view ignored = "LD_LIBRARY_PATH";
  for (const auto& [name, value] : run.environment)
    if (name != ignored) add("environment variable " + name, value);
  add("--algorithm", std::string(find_algorithm(config.algorithm).value().make(config)->name()));
  add("--preemptions", preemptions_text(config.preemptions));
  add("--sleep-sets", on_or_off(config.sleep_sets));
  add("--update", config.update == Update::Plain ? "plain" : "aggressive");
  add("--seed", fmt::format("{}", config.seed));
  add("--pct-depth", fmt::format("{}", config.pct_depth));
  add("--visible", config.visibility == wire::Visibility::All ? "all" : "racy");
  add("--races", races_name(config.races));
  add("--max-steps", fmt::format("{}", config.max_steps));
  add("--timeouts", config.timeouts ? fmt::format("{}", *config.timeouts) : "");
  add("--spurious-wakeups", on_or_off(config.spurious_wakeups));
  add("--weak-cas-fails", on_or_off(config.weak_cas_fails));
  add("--observe-output", on_or_off(config.observe_output));
  add("--no-repair", on_or_off(!config.repair));
  add("--cpus", fmt::format("{}", config.cpus));
  add("--allow-exit", fmt::format("{}", fmt::join(config.allowed_exits, ",")));
  return facts;
}

}  // namespace heddle
