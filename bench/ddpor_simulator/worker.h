// A worker (dist/worker.h) that explores a recorded tree instead of a program, in simulated time.
//
// Steps become transitions that all conflict with each other, and the branches of a state differ by thread and alternative. So the real
// trunk keeps the recorded tree as it is: nothing sleeps, and nothing covers anything else.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "bench/ddpor_simulator/tree.h"
#include "dist/messages.h"

namespace heddle::simulation {

using Nanoseconds = std::uint64_t;

class SimulatedWorker {
 public:
  using Send = std::function<void(Nanoseconds when, const Report& report)>;

  SimulatedWorker(const Tree& tree, Nanoseconds send_cost, Send send) : tree_(&tree), send_cost_(send_cost), send_(std::move(send)) {}

  bool idle() const { return report_.id == 0; }
  void obey(const Command& command);
  // Works from `now` until it is time to look for messages; answers when that is. REQUIRES !idle(). Idle afterwards: the unit is finished.
  Nanoseconds work(Nanoseconds now);

  std::uint64_t runs() const { return runs_; }
  Nanoseconds busy_ns() const { return busy_; }

 private:
  struct Segment {
    Run run;             // owns the states from
    std::uint32_t from;  // this depth on
  };

  void begin(const Unit& unit);
  Nanoseconds run_next();
  Transition taken(std::uint32_t depth) const;
  double promised_runs() const;
  bool is_to_unload() const;
  Cut cut();
  void send(Nanoseconds& now);

  const Tree* tree_;
  Nanoseconds send_cost_;
  Send send_;
  Report report_;
  Tally tally_, sent_;
  bool asked_ = false, first_ = false;
  std::uint32_t threshold_ = 0, least_us_ = 0, floor_ = 0, fresh_ = 0;
  Nanoseconds looked_ = 0;
  std::vector<Segment> path_;
  std::map<std::uint32_t, std::vector<Run>> owed_;        // by depth, oldest first
  std::map<std::uint32_t, std::vector<Transition>> done_;
  std::map<std::uint32_t, std::uint64_t> entered_;        // by depth: runs that had been made when the path was left there last
  std::uint64_t owes_ = 0, runs_ = 0;
  Nanoseconds spent_ = 0;                                 // on the unit
  Nanoseconds busy_ = 0;
};

}  // namespace heddle::simulation
