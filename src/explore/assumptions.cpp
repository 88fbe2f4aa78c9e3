#include "explore/assumptions.h"

#include <fmt/format.h>

namespace heddle {

std::vector<std::string> standing_assumptions(const Config& config) {
  std::vector<std::string> all = {
      "input: arguments, environment, files, standard input and random numbers are those of this search",
      fmt::format("machine: {} processors; clocks advance by what the program waits, not by what it computes", config.cpus),
      "memory: allocations succeed, and a freed block is not used again within an execution",
  };
  if (!config.spurious_wakeups) all.emplace_back("wake-ups: condition variables and futexes wake only if somebody wakes them or time is up (--spurious-wakeups)");
  if (!config.weak_cas_fails) all.emplace_back("compare-exchange: a weak one fails only if the values differ (--weak-cas-fails)");
  all.emplace_back("try-locks fail only while the lock is held");
  return all;
}

}  // namespace heddle
