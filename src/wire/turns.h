// When a thread leaves the processor to others of its own accord. Freestanding: the runtime's policy, scripted programs and whoever
// counts preemptions agree on it.
#pragma once
#include "wire/wire.h"

namespace heddle::wire {

// A wait that ended by time-out, a compare-exchange that failed without reason: whoever runs on would do it again, perhaps for ever.
constexpr bool gave_up(const Event& e) {
  return e.alternative == 1 && e.op != Op::Choose && e.op != Op::CondSignal && e.op != Op::FutexWake;
}

// It has queued up for somebody to wake it, though it may also leave by time-out.
constexpr bool queued_up(const Event& e) { return e.op == Op::CondWait || (e.op == Op::FutexWait && e.outcome == 1); }

// After this event anybody may be next, as after a call that blocks.
constexpr bool gives_way(const Event& e) { return gave_up(e) || queued_up(e); }

}  // namespace heddle::wire
