// Runs that have come back to where they were.
#pragma once
#include <optional>

#include "detect/finding.h"

namespace heddle {

// A livelock, if the run was ended by its number of steps, the states at both ends of the captured part of the trace are the same and every thread that was possible in
// between has moved: then this part can be repeated for ever, and no thread is kept from moving. Where one is kept from moving the
// schedule is at fault, not the program.
std::optional<Finding> endless_finding(const Trace& trace);

}  // namespace heddle
