// The seam to an algorithm: an oracle that says what to run next and is told what happened.
//
// CONTRACT
//  - The explorer calls next() until it answers nothing, runs each request, and hands every trace to learn() in the order
//    of the requests. The search is over when next() answers nothing and no run is in flight.
//  - A reduction never talks to the process and never looks at wall-clock time. It owns its per-node data.
//  - next() and learn() may throw Abandoned if the poll that was handed over says so (stop_poll.h): after that neither is called again.
//  - A reduction whose requests do not depend on the results of earlier ones says so with independent(); then next() is called
//    ahead of learn(). All others are called strictly in turn: next, learn, next, learn.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explore/reduction/sampled_runs.h"
#include "explore/reduction/stop_poll.h"
#include "explore/bound.h"
#include "model/trace.h"
#include "target/program.h"

namespace heddle {

struct Progress {
  double estimated_executions = 0;  // of the whole search, 0 if unknown
  std::uint64_t pending = 0;        // work items owed
  std::uint64_t depth = 0;          // of the current path
  std::optional<PreemptionBound> preemptions = {};
  std::string crew = {};            // of many workers: who does what
};

// What a stateful search keeps besides the table of visited states.
struct StoredFacts {
  std::uint64_t transitions = 0;  // with labels
  std::uint64_t bytes = 0;
};

class Reduction {
 public:
  virtual ~Reduction() = default;
  virtual std::string_view name() const = 0;
  virtual std::optional<Request> next() = 0;
  virtual void learn(const Request& request, const Trace& trace) = 0;
  virtual void heed(const StopPoll&) {}  // from now on. Those that never think for long need not
  virtual bool independent() const { return false; }
  virtual bool exhaustive() const { return true; }  // false: sampling, which never verifies
  // When runs are cut by max_steps: has everything that fits into the bound been seen all the same? What a reduction leaves out is
  // alike to something that it has seen in full; where runs are cut that need not be so.
  virtual bool covers_step_bound() const { return false; }
  // What to start over with, once a run was cut, in order to cover the bound all the same. None: nothing would.
  virtual std::unique_ptr<Reduction> for_cut_runs() const { return nullptr; }
  // Where the bound on preemptions grows: what to explore with, so that it has this one. None: it does not grow.
  virtual std::unique_ptr<Reduction> with_bound(std::uint32_t) const { return nullptr; }
  // A bound on preemptions, where there is one.
  virtual std::optional<PreemptionBound> preemption_bound() const { return std::nullopt; }
  virtual Progress progress() const { return {}; }
  virtual std::vector<SampledRuns> sampled() const { return {}; }  // one for each sampler that took part
  virtual StoredFacts stored() const { return {}; }
  // Where a thread did something else than what it had done before decides: it is led by accesses that nobody sees. 0: nowhere.
  virtual Address strayed_at() const { return 0; }
  virtual bool has_cycles() const { return false; }  // a state was seen to come back: there are executions without end
};

}  // namespace heddle
