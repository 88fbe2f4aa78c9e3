// Why a recorded run did not come back: the first operation that differs, and what most likely made it differ.
//
// A tested program under Heddle is a function of its choices. Where the same choices give another run, something outside
// our control took part: the clock, randomness, an address, or code that was not instrumented. The kind of the first
// difference says which of these to suspect; it is a hint, and is worded as one.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/trace.h"

namespace heddle {

// Names a place in the code ("worker() at pool.cpp:12"). report/ has a good one; default_place_name needs no debug information.
using PlaceName = std::function<std::string(Address pc)>;
std::string default_place_name(Address pc);

enum class Cause {
  NotEnabled,      // the thread asked for could not move, or was not there
  ControlFlow,     // the same thread came to another place in the code
  Object,          // the same place worked on another object
  Foreign,         // … which is memory that no arena, stack or module of ours holds
  Outcome,         // the same operation had another result
  EndedEarly,      // the run was over before the recorded steps were
  SameOperations,  // every operation was the same, and yet the finding did not show
};

struct Divergence {
  Cause cause = Cause::SameOperations;
  std::size_t step = 0;           // index of the first differing event
  std::optional<Event> recorded;  // missing where the recording, or the new run, was already over
  std::optional<Event> now;
};

// ENSURES the answer is about the first index at which the runs differ. Enabled sets are not compared: a thread that is
// merely able to move has done nothing yet.
Divergence compare_runs(std::span<const Event> recorded, const Trace& again);

// One line without a newline: step, what was recorded, what came now, and the likely cause.
std::string describe(const Divergence& divergence, const PlaceName& place = default_place_name);

// The divergence as the error that ends a command with ExitCode::Nondeterminism.
Error divergence_error(const std::string& what, const Divergence& divergence, const PlaceName& place = default_place_name);

}  // namespace heddle
