// Vector clocks over the thread slots in use.
//
// A clock has room for every slot there can be; most programs use a few. Only entries below clock_limit are ever written, so that
// the rest need not be cleared, copied or joined.
#include "runtime/runtime.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kLane = 4;
typedef int32_t Lanes __attribute__((vector_size(4 * kLane), may_alias));  // counts stay below 2^24
static_assert(kMaxThreads % kLane == 0);

Lanes& lanes(Clock& c, uint32_t i) { return reinterpret_cast<Lanes&>(c.at[i]); }
const Lanes& lanes(const Clock& c, uint32_t i) { return reinterpret_cast<const Lanes&>(c.at[i]); }

// What may have happened before is kept only where something may order unseen.
bool keeps_maybe() { return HEDDLE_UNLIKELY(R().unseen_count > 0); }

}  // namespace

void clocks_cover(int slot) {
  uint32_t limit = ((uint32_t)slot + kLane) & ~(kLane - 1);
  if (limit > R().clock_limit) R().clock_limit = limit;
}

void clock_clear(Clock& c) {
  c.time = 0;
  for (uint32_t i = 0; i < R().clock_limit; i += kLane) lanes(c, i) = Lanes{};
  if (!keeps_maybe()) return;
  for (uint32_t i = 0; i < R().clock_limit; ++i) c.maybe[i] = 0;
}

void clock_copy(Clock& to, const Clock& from) {
  to.time = from.time;
  for (uint32_t i = 0; i < R().clock_limit; i += kLane) lanes(to, i) = lanes(from, i);
  if (!keeps_maybe()) return;
  for (uint32_t i = 0; i < R().clock_limit; ++i) to.maybe[i] = from.maybe[i];
}

void clock_join(Clock& to, const Clock& from) {
  for (uint32_t i = 0; i < R().clock_limit; i += kLane) {
    Lanes a = lanes(to, i), b = lanes(from, i);
    lanes(to, i) = a > b ? a : b;
  }
  if (from.time > to.time) to.time = from.time;
  if (!keeps_maybe()) return;
  for (uint32_t i = 0; i < R().clock_limit; ++i)
    if (from.maybe[i] > to.maybe[i]) to.maybe[i] = from.maybe[i];
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
