#include "runtime/policy.h"

#include "wire/sampling.h"
#include "wire/turns.h"

namespace heddle::rt {
namespace {

struct Sampling {
  wire::Draw draw;
  wire::Pct pct;
  wire::Pos pos;
};
Sampling& sampling() {
  static_assert(sizeof(Sampling) <= sizeof R().sampling);
  return *reinterpret_cast<Sampling*>(R().sampling);
}

uint64_t draw_below(uint64_t n) { return sampling().draw.below(n); }

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
  bool gave_up = R().steps && R().events[R().steps - 1].thread == last && wire::gave_up(R().events[R().steps - 1]);
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
  const wire::RequestHeader& request = *R().request;
  R().last_thread = 0;
  if (request.policy == wire::Policy::RunOn) return;
  sampling().draw = wire::Draw(request.seed);
  if (request.policy == wire::Policy::Pct) sampling().pct.begin(request.seed, request.depth, request.horizon);
  if (request.policy == wire::Policy::Pos) sampling().pos.begin(request.seed);
}

wire::Choice pick(const Offer& c) {
  auto with_alternative = [&c](int t) {
    return wire::Choice{(uint8_t)t, (uint8_t)nth(c.alternatives[t], draw_below((uint64_t)c.alternatives[t].count()))};
  };
  switch (R().request->policy) {
    case wire::Policy::Random: return random(c);
    case wire::Policy::Pct: return with_alternative(sampling().pct.pick(c.threads, R().steps));
    case wire::Policy::Pos: return with_alternative(sampling().pos.pick(c.threads, [](int t) { return view_of(R().threads[t]); }));
    case wire::Policy::Sequential: return choice_of(c, wire::first_in_order(R().request->seed, c.threads));
    case wire::Policy::RunOn: break;
  }
  return run_on(c);
}

}  // namespace heddle::rt
