// What a search comes to: verdict, numbers, findings. A plain value; reporters render it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "explore/reduction/sampled_runs.h"
#include "explore/bound.h"
#include "model/order_pairs.h"
#include "model/uncovered.h"
#include "replay/confirm.h"

namespace heddle {

enum class Verdict {
  Verified,  // exhausted, nothing wrong
  Bug,
  WithinBound,  // all of what the bounds allow and heddle sees, nothing wrong
  Unknown,      // data races that code which is not seen may order, and nothing else
  Incomplete,   // a time or run limit, or the user, ended it
  Error,        // see Outcome::error
};
const char* verdict_name(Verdict verdict);  // as in JSON: "verified", "within-bound", …

struct Statistics {
  std::uint64_t executions = 0;   // complete runs
  std::uint64_t blocked = 0;      // redundant ones: cut by a sleep set, or ending in a blocked await
  std::uint64_t transitions = 0;  // newly explored
  std::uint64_t replayed = 0;     // repeated to get back
  std::uint64_t states = 0;       // distinct ones, of a stateful search
  std::uint64_t revisits = 0;     // runs that ended at a stored state
  std::uint64_t stored_transitions = 0;  // with their labels
  std::uint64_t bytes_per_state = 0;     // fingerprint and its share of the table, transitions
  std::uint64_t max_depth = 0;    // longest run, in transitions
  std::uint64_t threads = 0;      // most in one run, main included
  double time_s = 0;
  std::uint64_t peak_rss_kb = 0;

  std::uint64_t runs() const { return executions + blocked + revisits; }
};

// What each of many workers did.
struct WorkerFigures {
  int number = 0;
  std::uint64_t executions = 0, blocked = 0;
  std::uint64_t units = 0;     // finished
  std::uint64_t repeated = 0;  // of its units, those that were given out again
  double busy = 0;             // share of its time
  bool lost = false;
};

struct Distribution {
  std::vector<WorkerFigures> workers;
  std::uint64_t units = 0, repeated = 0;  // repeated: given out again, because a worker was lost
  std::uint64_t redundant = 0;            // runs that were made in vain: blocked, or made again for that reason
};

struct Outcome {
  Verdict verdict = Verdict::Error;
  std::string algorithm;
  Statistics statistics;
  std::vector<Confirmed> findings;  // each with the detailed run that shows it; distinct by signature
  std::vector<SampledRuns> sampling;  // what was drawn at random, if anything
  std::vector<Confirmed> unknown;     // races that code which is not seen may order (Finding::maybe_ordered_by)
  std::vector<Uncovered> uncovered;   // what the program does and heddle does not see
  std::vector<UncoveredNote> uncovered_notes;  // the same as targets have noted it, until name_places() of report/uncovered.h
  std::vector<OrderPair> order_pairs; // atomic accesses that nothing orders
  std::vector<std::string> order_texts;  // the same with their places, the most telling first, if the program relies on memory orders that were not explored
  bool bounded = false;               // something was left out that a bound forbids
  std::vector<std::string> assumes;   // one line each: what the verdict rests on
  std::string vacuous;                // why a verdict that says nothing is wrong says little; empty: it says what it seems to
  bool unordered = false;  // Tally::unordered
  std::optional<PreemptionBound> preemptions;  // where they were bounded
  std::optional<std::uint32_t> max_steps;      // where it cut executions
  std::optional<std::uint32_t> timeouts;       // where waits could have timed out more often
  std::vector<std::string> notes;   // one line each: bounds that were hit, threads never joined, …
  Error error;                      // Verdict::Error only
  std::optional<Distribution> distribution;  // of a search with many workers
  std::string resume;               // the command that goes on, where a checkpoint was written and there is something to go on with
};

// Takes the verdict down to what findings, unknown races and uncovered code allow, never up. For whoever adds some after the search.
void qualify(Outcome& outcome);

// REQUIRES nothing; the exit codes are a contract with users (docs: exit codes). `strict`: whatever is neither plainly verified nor a bug is incomplete.
ExitCode exit_code(const Outcome& outcome, bool strict = false);

}  // namespace heddle
