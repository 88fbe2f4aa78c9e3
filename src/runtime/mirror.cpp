// The print of the program's memory, kept up to date by comparing memory with a copy of how it was at the last look.
//
// Hooks would say more cheaply what was written, but they do not see everything: libraries, code that is exempt from instrumentation and
// what a compiler chooses not to instrument write as well. A comparison misses nothing. What can have changed at all is on the pages that
// the rollback knows to be hot, and on the stacks.
//   hot pages   a mirror each; words that differ from it are taken out of the sum with their old and put in with their new value.
//               A page that is as it was at the stop at main adds nothing.
//   stacks      from the frame that counts (state.cpp) up to the thread's first; what lies below is dead.
#include <emmintrin.h>

#include "runtime/runtime.h"

namespace heddle::rt {
namespace {

using layout::kPage;
constexpr uint64_t kLine = 64;

// Where the stack of the slot ends: above are the thread's control block and its thread-local storage.
uint64_t stack_end(int slot) { return slot ? R().slots[slot].fiber_top : layout::stack_high(0); }

uint64_t mirror_of(const HotPage& page) { return layout::kMirror + (uint64_t)(&page - R().hot) * kPage; }

bool same_line(uint64_t a, uint64_t b) {
  auto* x = reinterpret_cast<const __m128i*>(a);
  auto* y = reinterpret_cast<const __m128i*>(b);
  __m128i first = _mm_and_si128(_mm_cmpeq_epi8(_mm_load_si128(x), _mm_load_si128(y)),
                                _mm_cmpeq_epi8(_mm_load_si128(x + 1), _mm_load_si128(y + 1)));
  __m128i second = _mm_and_si128(_mm_cmpeq_epi8(_mm_load_si128(x + 2), _mm_load_si128(y + 2)),
                                 _mm_cmpeq_epi8(_mm_load_si128(x + 3), _mm_load_si128(y + 3)));
  return _mm_movemask_epi8(_mm_and_si128(first, second)) == 0xffff;
}

// Words of [low, high) that differ from those at `mirror` change their part of the sum. REQUIRES multiples of 8. Returns whether any did.
bool follow_words(Print& sum, uint64_t low, uint64_t high, uint64_t mirror) {
  auto* now = reinterpret_cast<const uint64_t*>(low);
  auto* then = reinterpret_cast<uint64_t*>(mirror);
  bool any = false;
  for (uint64_t at = low; at < high; at += 8, ++now, ++then) {
    if (*now == *then) continue;
    sum.subtract(print_of(at, *then));
    sum.add(print_of(at, *now));
    *then = *now;
    any = true;
  }
  return any;
}

// The same, a line at a time.
bool follow(Print& sum, uint64_t low, uint64_t high, uint64_t mirror) {
  bool any = false;
  uint64_t first = (low + kLine - 1) & ~(kLine - 1), last = high & ~(kLine - 1);
  if (first >= last) return follow_words(sum, low, high, mirror);
  any |= follow_words(sum, low, first, mirror);
  for (uint64_t at = first; at < last; at += kLine)
    if (!same_line(at, mirror + (at - low))) any |= follow_words(sum, at, at + kLine, mirror + (at - low));
  any |= follow_words(sum, last, high, mirror + (last - low));
  return any;
}

void enter_words(Print& sum, uint64_t low, uint64_t high, uint64_t mirror) {
  for (uint64_t at = low; at < high; at += 8, mirror += 8) {
    uint64_t word = *reinterpret_cast<const uint64_t*>(at);
    *reinterpret_cast<uint64_t*>(mirror) = word;
    sum.add(print_of(at, word));
  }
}

void leave_words(Print& sum, uint64_t low, uint64_t high, uint64_t mirror) {
  for (uint64_t at = low; at < high; at += 8, mirror += 8) sum.subtract(print_of(at, *reinterpret_cast<const uint64_t*>(mirror)));
}

// The part of a page that lies on a stack is not mirrored: most of it is dead.
uint16_t mirrored_from(uint64_t page) {
  if (!layout::in_stacks(page)) return 0;
  int slot = (int)((page - layout::kStacks) / layout::kStackSlot);
  uint64_t end = stack_end(slot);
  if (end <= page) return 0;
  return (uint16_t)(end - page < kPage ? end - page : kPage);
}

}  // namespace

void mirror_page(HotPage& page) {
  page.from = mirrored_from(page.address);
  page.changed = 0;
  heddle_rt_memcpy(reinterpret_cast<void*>(mirror_of(page)), reinterpret_cast<void*>(page.address), kPage);
}

void mirror_forget(HotPage& page) {
  heddle_rt_memcpy(reinterpret_cast<void*>(mirror_of(page)), reinterpret_cast<void*>(page.address), kPage);
  page.changed = 0;
}

void mirror_begin_run() { R().memory = {}; }

void mirror_begin_thread(int slot) {
  R().stack_print[slot] = {};
  R().stack_seen[slot] = stack_end(slot);
}

void mirror_update() {
  Runtime& r = R();
  for (uint32_t i = 0; i < r.hot_count; ++i) {
    HotPage& page = r.hot[i];
    if (page.from == kPage) continue;
    if (follow(r.memory, page.address + page.from, page.address + kPage, mirror_of(page) + page.from)) page.changed = 1;
  }
}

void mirror_stack(int slot, uint64_t low) {
  Print& sum = R().stack_print[slot];
  uint64_t seen = R().stack_seen[slot], end = stack_end(slot);
  auto mirror = [slot](uint64_t address) { return layout::stack_mirror(slot, address); };
  if (low < seen) enter_words(sum, low, seen, mirror(low));
  if (low > seen) leave_words(sum, seen, low, mirror(seen));
  uint64_t common = low > seen ? low : seen;
  follow(sum, common, end, mirror(common));
  R().stack_seen[slot] = low;
}

}  // namespace heddle::rt
