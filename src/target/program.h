// The seam to whatever is being tested: one call per execution.
//
// Implementations: ProcessProgram (a real program, rollback or fork executor) and ScriptedProgram (threads as data, for
// tests of algorithms). A Program is deterministic: equal requests give equal traces, apart from what a Policy draws from
// its seed, which is a function of the seed.
#pragma once
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "model/order_pairs.h"
#include "model/trace.h"
#include "model/uncovered.h"

namespace heddle {

enum class Capture : std::uint8_t {
  None,
  States,         // Trace::states
  UntilVisited,   // the same, and the run ends (End::Revisited) at the first state that an earlier run, or this one, has passed
};

// What to run: replay `prefix`, then go on under `policy`, never choosing what is asleep.
struct Request {
  std::vector<Choice> prefix;
  std::vector<wire::SleepEntry> sleep;  // holds from the end of the prefix
  wire::Policy policy = wire::Policy::RunOn;
  std::uint64_t seed = 0;
  std::uint16_t depth = 0;      // Policy::Pct
  std::uint32_t horizon = 0;    // Policy::Pct: expected number of steps
  std::uint32_t max_steps = 0;  // 0: the program's default
  std::uint32_t timeouts = 0;   // most of one thread at one place (wire::RequestHeader); 0: the program's default
  bool detail = false;          // record stacks
  bool keep_output = false;
  Address watch = 0;
  std::uint32_t watch_size = 0;
  Capture capture = Capture::None;
  std::uint32_t capture_from = 0;  // number of events before the first state that counts
  bool forget_visited = false;     // for whoever submits it: forget_states() first, the search begins anew
  std::uint32_t next_shares = 0;   // a hint: the next request's prefix begins with so many choices of this run
};

class Program {
 public:
  virtual ~Program() = default;

  // REQUIRES nothing in flight. ENSURES the trace starts with request.prefix unless it ended earlier (End::Diverged says where).
  Result<Trace> run(const Request& request);

  // Pipelining: hand over several requests, collect traces in the same order.
  // ENSURES submit never blocks while in_flight() < capacity().
  virtual Status submit(const Request& request) = 0;
  virtual Result<Trace> collect() = 0;  // REQUIRES in_flight() > 0
  virtual int in_flight() const = 0;
  virtual int capacity() const { return 1; }

  // A new search begins: no state has been visited. REQUIRES nothing in flight.
  virtual void forget_states() {}
  // Who has which thread number: numbers go to threads as they are first seen, and stay (wire::ThreadName).
  virtual std::vector<wire::ThreadName> thread_names() const { return {}; }
  // Threads get these numbers, so that schedules of another process of the program can be run here. REQUIRES nothing in flight.
  virtual Status adopt_threads(const std::vector<wire::ThreadName>&) { return Nothing{}; }

  // What it was seen to do without heddle seeing it, in all runs so far, also those of earlier processes.
  virtual std::vector<UncoveredNote> uncovered() const { return {}; }
  // Its atomic accesses that nothing orders, likewise: enough of them to decide relies_on_orders().
  virtual std::vector<OrderPair> order_pairs() const { return {}; }

  // Make these addresses scheduling points from the next run on. The set only grows.
  virtual Status make_visible(Address address, std::uint64_t size) = 0;
};

}  // namespace heddle
