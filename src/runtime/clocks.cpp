// Vector clocks over the thread slots in use.
#include "runtime/runtime.h"

namespace heddle::rt {

void clock_clear(Clock& c) { heddle_rt_memset(&c, 0, sizeof c); }

// All of it: beyond the slots in use `to` may still hold what an earlier run left there, and more slots may come into use.
void clock_copy(Clock& to, const Clock& from) { heddle_rt_memcpy(&to, &from, sizeof to); }

void clock_join(Clock& to, const Clock& from) {
  for (uint32_t i = 0; i < R().clock_width; ++i)
    if (from.at[i] > to.at[i]) to.at[i] = from.at[i];
  if (from.time > to.time) to.time = from.time;
}

void load_epoch() {
  const Thread& t = self();
  R().epoch = (uint64_t)(R().run & 0x3fffff) << 42 | (uint64_t)t.clock.at[t.slot] << 18 | (uint64_t)t.slot << 10;
}

void tick(Thread& t) {
  if (++t.clock.at[t.slot] >= (1u << 24)) fatal("more than 16 million synchronisations of one thread in a run");
  if (&t == R().current) load_epoch();
}

void acquire(Thread& t, const Clock& from) { clock_join(t.clock, from); }

void release(Thread& t, Clock& to) {
  clock_join(to, t.clock);
  tick(t);
}

}  // namespace heddle::rt
