// Every interleaving of a program, without any cleverness: what all reductions are measured against. Linked into tests only.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "explore/reduction/reduction.h"
#include "target/program.h"

namespace heddle::reference {

// What a search has seen of a program.
struct Observations {
  std::set<std::string> traces;        // canonical forms of complete runs
  std::set<std::string> deadlocks;     // who is left with what
  std::set<std::string> failures;      // assertions and misuse, by place
  std::set<std::string> races;         // unordered pairs of places, and the variable
  std::set<std::string> final_states;  // of runs that were not stopped
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;

  void add(const Trace& trace);
  void add_ends(const Trace& trace);  // the same without the trace itself and the counts
  // What differs, in words; empty if nothing does. Counts are not compared.
  std::string difference(const Observations& other) const;
};

struct Bounds {
  std::uint32_t timeouts = 0;                         // 0: any number
  std::uint32_t max_steps = 0;                        // 0: the program's default
  std::optional<std::uint32_t> preemptions;
};

// Everything within the bounds. Nothing if there are more than `limit` interleavings.
std::optional<Observations> enumerate(Program& program, std::uint64_t limit, const Bounds& bounds = {});

// Runs a reduction to its end. Nothing if it needs more than `limit` runs.
std::optional<Observations> search(Program& program, Reduction& reduction, std::uint64_t limit, std::uint32_t max_steps = 0);

}  // namespace heddle::reference
