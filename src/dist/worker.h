// Explores units for a balancer (003 fig. 4): runs the program, analyses, reports. Judges nothing: a run with something wrong in it
// is a Suspect, which the balancer runs again.
#pragma once
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "dist/link.h"
#include "dist/messages.h"
#include "explore/config.h"
#include "explore/reduction/reversal_search.h"
#include "explore/replay_check.h"
#include "target/program.h"

namespace heddle {

class Worker {
 public:
  Worker(const Config& config, Program& program, ReversalSearch& search, Link& link)
      : config_(config), program_(program), search_(search), link_(link) {}

  void work();  // until told to stop, or nobody is there any more

 private:
  using Clock = std::chrono::steady_clock;

  void obey(const Bytes& message);
  void step();
  Result<Trace> run(const Request& request);
  bool is_sound(const Request& request, const Trace& trace);
  void count(const Request& request, const Trace& trace);
  void suspect(const Request& request, const Trace& trace);
  void settle_up_to_floor();
  void unload();
  void look_around();
  void send();

  const Config& config_;
  Program& program_;
  ReversalSearch& search_;
  Link& link_;
  ReplayCheck replay_check_;

  bool stop_ = false, asked_ = false, first_ = false;
  std::uint32_t threshold_ = 0;
  Unit unit_;
  Report report_;               // being filled; id 0: idle
  Tally tally_;                 // of the unit
  Tally sent_;                  // of it, what has been settled
  struct Mark {
    std::size_t depth;          // a run left the path here,
    Tally before;               // and so much had been done then
  };
  std::vector<Mark> marks_;     // ascending depth
  std::set<std::string> signatures_, notes_;
  Clock::time_point looked_{};
};

}  // namespace heddle
