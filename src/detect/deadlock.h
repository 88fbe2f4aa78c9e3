// Runs that ended because nobody could move.
#pragma once
#include <vector>

#include "detect/finding.h"

namespace heddle {

// The threads that wait for each other in a circle, each waiting for the next; empty if there is none.
std::vector<std::uint8_t> wait_for_cycle(const Trace& trace);

// REQUIRES trace.end is Deadlock, or TimeoutLimit with a wait_for_cycle(). A Livelock where all that is left are loops waiting for memory to change.
Finding deadlock_finding(const Trace& trace);

}  // namespace heddle
