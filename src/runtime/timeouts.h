// Waits that may time out only so often.
//
// A program that waits again whenever it has timed out has executions without end. A request can let the waits of one thread at one place of the
// program (condition variables, futexes) time out a number of times and no more; from then on they are waits without a deadline. What a thread may do
// still depends on nothing but its own past, so that reductions need not know of it.
#pragma once
#include "runtime/runtime.h"

namespace heddle::rt {

// How often; 0: always. Before main nobody asks.
inline uint32_t most_timeouts() { return R().request ? R().request->timeouts : 0; }

// The entry of this place, its own or the one for all others; a free one becomes its own.
inline TimedPlace& timed_place(Thread& t, uint64_t pc) {
  int i = 0;
  while (i < kTimedPlaces - 1 && t.timed_places[i].pc && t.timed_places[i].pc != pc) ++i;
  t.timed_places[i].pc = pc;
  return t.timed_places[i];
}

// Says of a wait with a deadline (or without) whether it may time out.
inline void set_timed(PendingOp& p, bool has_deadline) {
  uint32_t limit = most_timeouts();
  p.spent = has_deadline && limit && timed_place(self(), p.pc).timeouts >= limit;
  p.timed = has_deadline && !p.spent;
  if (p.spent) R().timeouts_spent = 1;
}

inline void count_timeout(uint64_t pc) {
  uint32_t timeouts = ++timed_place(self(), pc).timeouts;
  if (timeouts > R().most_timeouts) R().most_timeouts = timeouts < 255 ? (uint8_t)timeouts : 255;
}

// Nobody can move. Would somebody, if it might time out?
inline bool timeouts_are_spent() {
  Runtime& r = R();
  for (uint32_t i = 0; i < r.clock_width; ++i) {
    const Thread& t = r.threads[i];
    bool waits = t.pending.op == Op::CondResume || t.pending.op == Op::FutexResume;
    if (t.state == ThreadState::Live && waits && t.pending.spent && !t.woken) return true;
  }
  return false;
}

// A thread that has not timed out yet adds nothing.
template <class Fact> void tell_timeouts(Fact& fact, const Thread& t) {
  if (!most_timeouts()) return;
  for (const TimedPlace& place : t.timed_places) {
    if (!place.timeouts) continue;
    fact.word(place.pc);
    fact.word(place.timeouts);
  }
}

}  // namespace heddle::rt
