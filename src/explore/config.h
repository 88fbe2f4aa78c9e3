// Everything a check is asked to do. Filled once by cli/config, constant afterwards, passed by const reference.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/reduction/exploration_order.h"
#include "explore/reduction/livelocks.h"
#include "explore/reduction/walk_options.h"
#include "wire/wire.h"

namespace heddle {

enum class StopAt { First, All };
enum class Races { Stop, Explore, Ignore };
enum class Update { Plain, Aggressive };  // of backtrack sets: 003 figs. 1 and 8
enum class ExecutorChoice { Auto, Rollback, Fork };

struct Preemptions {
  enum Kind { Any, AtMost, Growing } kind = Any;  // Growing: 0, 1, 2, … until nothing is left out
  std::uint32_t most = 0;                         // AtMost
};

struct Config {
  // The program.
  std::string program;
  std::vector<std::string> arguments;
  std::string cflags;  // for a source file compiled on the fly

  // The search.
  std::string algorithm = "auto";
  std::uint64_t seed = 1;
  std::uint16_t pct_depth = 3;
  bool sleep_sets = true;  // of dpor
  StopAt stop_at = StopAt::First;
  Races races = Races::Stop;
  wire::Visibility visibility = wire::Visibility::Racy;
  std::optional<wire::StateMode> state;      // none given: what the algorithm needs
  Update update = Update::Plain;
  ExplorationOrder order;                    // of algorithms that store states
  bool safe_sets = true;                     // of dl-spor and de-spor
  WalkOptions dl;                            // of dl-spor
  Livelocks livelocks = Livelocks::Possible;  // by algorithms that store states

  // Limits. No value: none.
  std::optional<std::uint64_t> max_executions;
  std::optional<double> timeout_s;
  std::uint32_t max_steps = 100'000;
  std::optional<std::uint32_t> timeouts;     // of one thread's waits at one place; 0: any number; none: as many as there are, unless that has no end
  std::optional<std::uint64_t> max_memory;   // of stored states, in bytes; none: half of the machine's
  Preemptions preemptions;

  // Many workers.
  std::uint32_t members = 4;                 // of a portfolio
  std::uint32_t workers = 0;                 // 0: none, the search is made here
  std::optional<std::uint32_t> unload_at;    // none: adapted

  // Checkpoints. Empty: none.
  std::string checkpoint_file, resume_file;
  double checkpoint_interval_s = 60;
  std::string resume_command;                // that goes on from checkpoint_file

  // How the program is run.
  ExecutorChoice executor = ExecutorChoice::Auto;
  double hang_timeout_s = 10;
  std::uint64_t memory_mb = 4096;  // that one process of the program may take
  bool spurious_wakeups = false;
  bool weak_cas_fails = false;
  bool observe_output = false;  // the order in which threads print counts
  bool repair = true;  // accesses that no hook announces are announced by trampolines
  std::uint32_t cpus = 4;
  std::vector<int> allowed_exits;  // exit statuses besides 0 that are no finding

  // What the user gets.
  std::string json_file;  // empty: none
  std::string trace_dir = ".";
  std::string tree_file;  // the search's tree of work goes there; empty: nowhere
  bool quiet = false;
  bool strict = false;      // exit code 3 for whatever is neither plainly verified nor a bug
  bool plain_text = false;  // no colours, whatever standard output seems to be (mpirun's looks like a terminal)
};

}  // namespace heddle
