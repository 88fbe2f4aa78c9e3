// Small random programs over all operation kinds, and the way back from a failing one to the smallest that still fails.
#pragma once
#include <cstdint>
#include <functional>

#include "target/scripted/script.h"

namespace heddle::generated {

// A function of the seed: 2 to 4 threads, a few statements each, weighted to small. Each program draws from a few themes (locks,
// condition variables, …) so that its threads get in each other's way.
scripted::Script generate(std::uint64_t seed);

// The same with loops that need not end: state spaces with cycles. Values are kept small, so that there are few states.
scripted::Script generate_cyclic(std::uint64_t seed);

// Loops around waits with a deadline: executions without end, unless time-outs are bounded.
scripted::Script generate_timeouts(std::uint64_t seed);

// Programs that end in the middle (failed assertions, exits) of operations with alternatives: whatever a reduction leaves out of the order in
// which a run ended shows here.
scripted::Script generate_ends(std::uint64_t seed);

// What none of them makes (wide_generator.cpp), for searches that store states. May have cycles.
scripted::Script generate_wide(std::uint64_t seed);

// Programs about loops that wait for either of two locations.
scripted::Script generate_waits(std::uint64_t seed);

// Compare-exchanges that fail here and succeed there, beside all other accesses to the same one or two variables.
scripted::Script generate_exchanges(std::uint64_t seed);

// Programs that fail in the middle (failing_generator.cpp).
scripted::Script generate_failing(std::uint64_t seed);

// Programs about memory under locks (locked_generator.cpp).
scripted::Script generate_locked(std::uint64_t seed);

// Removes threads and instructions as long as `fails` holds. REQUIRES fails(script).
scripted::Script shrink(scripted::Script script, const std::function<bool(const scripted::Script&)>& fails, bool cycles = false);

// Is it worth running: jumps stay inside, objects exist, and no thread can loop without an operation? With `cycles`, loops need not
// wait for anything.
bool is_sensible(const scripted::Script& script, bool cycles = false);

}  // namespace heddle::generated
