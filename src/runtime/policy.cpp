#include "runtime/policy.h"

namespace heddle::rt {
namespace {

uint64_t draw() {  // splitmix64
  uint64_t z = (R().policy_state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

uint64_t draw_below(uint64_t n) { return (uint64_t)(((unsigned __int128)draw() * n) >> 64); }

int nth(const wire::SmallSet& s, uint64_t n) {
  int i = s.next();
  while (n--) i = s.next(i + 1);
  return i;
}

wire::Choice choice_of(const Offer& c, int thread) {
  return {(uint8_t)thread, (uint8_t)c.alternatives[thread].next()};
}

// Keep the running thread; after it timed out or yielded, let the others go first so that waiting in a loop ends.
wire::Choice run_on(const Offer& c) {
  int last = R().last_thread;
  bool gave_up = R().steps && R().events[R().steps - 1].thread == last && R().events[R().steps - 1].alternative == 1 &&
                 R().events[R().steps - 1].op != Op::Choose;
  if (!gave_up && c.threads.has(last)) return choice_of(c, last);
  int other = gave_up ? c.threads.next(last + 1) : -1;
  return choice_of(c, other >= 0 ? other : c.threads.next());
}

wire::Choice random(const Offer& c) {
  uint64_t total = 0;
  for (int t = c.threads.next(); t >= 0; t = c.threads.next(t + 1)) total += c.alternatives[t].count();
  uint64_t k = draw_below(total);
  for (int t = c.threads.next();; t = c.threads.next(t + 1)) {
    uint64_t n = c.alternatives[t].count();
    if (k < n) return {(uint8_t)t, (uint8_t)nth(c.alternatives[t], k)};
    k -= n;
  }
}

}  // namespace

void policy_begin() {
  R().policy_state = R().request->seed;
  R().last_thread = 0;
}

wire::Choice pick(const Offer& c) {
  switch (R().request->policy) {
    case wire::Policy::Random: return random(c);
    default: return run_on(c);
  }
}

}  // namespace heddle::rt
