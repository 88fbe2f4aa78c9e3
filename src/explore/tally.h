// Work that was done, run by run. Numbers add up; extremes are kept.
#pragma once
#include <algorithm>
#include <cstdint>

#include "explore/outcome.h"
#include "target/program.h"

namespace heddle {

// Is a location read or written plainly after another thread's compare-exchange of it? Whether that one wrote may depend on what came between, so that a race of the two
// need not show as neighbours: in `atomic_store(x, 2); read x` beside `cas(x, 0, 2)` the exchange fails wherever it comes next to the read.
bool exchanges_beside_plain(const std::vector<Event>& events);

// Has an object been used by two threads, by both not only to look at it?
bool shares_objects(const std::vector<Event>& events);

struct Tally {
  std::uint64_t executions = 0, blocked = 0, transitions = 0, replayed = 0;
  std::uint64_t max_depth = 0, threads = 0;
  std::uint64_t unused = 0;                // runs that were made ahead of time, and not asked for in the end
  std::uint64_t states = 0, revisits = 0;  // of searches that store states
  bool timeouts_spent = false;  // waits were not let time out as often as they could
  std::uint8_t most_timeouts = 0, most_timeouts_when_cut = 0;  // of one thread at one place, in one run; in one that was cut by a bound on steps
  bool left_out_for_preemptions = false;  // of a part of a search: something was
  bool hit_step_limit = false, ignored_race = false, table_full = false;
  bool accessed = false, shared = false;  // instrumented code has accessed memory; two threads have made conflicting accesses to something
  bool unordered = false;  // somebody learned of another thread's doing without being ordered after it

  std::uint64_t runs() const { return executions + blocked; }
  void count(const Request& request, const Trace& trace);
  void put_into(Statistics& statistics) const;

  void add(const Tally& other) {
    executions += other.executions;
    blocked += other.blocked;
    transitions += other.transitions;
    replayed += other.replayed;
    unused += other.unused;
    max_depth = std::max(max_depth, other.max_depth);
    threads = std::max(threads, other.threads);
    hit_step_limit |= other.hit_step_limit;
    timeouts_spent |= other.timeouts_spent;
    left_out_for_preemptions |= other.left_out_for_preemptions;
    most_timeouts = std::max(most_timeouts, other.most_timeouts);
    most_timeouts_when_cut = std::max(most_timeouts_when_cut, other.most_timeouts_when_cut);
    ignored_race |= other.ignored_race;
    unordered |= other.unordered;
    accessed |= other.accessed;
    shared |= other.shared;
  }
  // The work since `earlier`. Extremes are of all of it.
  Tally since(const Tally& earlier) const {
    Tally t = *this;
    t.executions -= earlier.executions;
    t.blocked -= earlier.blocked;
    t.transitions -= earlier.transitions;
    t.replayed -= earlier.replayed;
    t.unused -= earlier.unused;
    return t;
  }
};

}  // namespace heddle
