// Makes the schedule of a confirmed finding easier to read: fewer preemptions, fewer context switches, fewer steps.
//
// Two moves, tried by running them: let the program run on by itself after fewer recorded blocks (a block: consecutive
// steps of one thread), and pull a thread's later block up to its earlier one. A candidate counts only if its run shows the
// same bug and costs less, so the result is always a schedule that has been seen to work. The number of runs is bounded;
// what comes out is better than what went in, not a minimum.
#pragma once
#include <chrono>
#include <compare>

#include "replay/confirm.h"

namespace heddle {

struct ShortenLimits {
  int runs = 200;
  std::chrono::milliseconds time{2000};
};

// How hard a schedule is to follow; compared in this order.
struct ScheduleCost {
  int preemptions = 0;  // switches away from a thread that could have gone on
  int switches = 0;
  std::size_t steps = 0;
  auto operator<=>(const ScheduleCost&) const = default;
};
ScheduleCost schedule_cost(const std::vector<Event>& events);

// REQUIRES nothing in flight, and that `confirmed` came from confirm_run of this program.
// ENSURES same_bug(result.finding, confirmed.finding), and a cost that is not larger.
Confirmed shorten(Program& program, Confirmed confirmed, ShortenLimits limits = {});

}  // namespace heddle
