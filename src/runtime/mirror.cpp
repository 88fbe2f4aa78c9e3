// The print of the program's memory, kept up to date by comparing memory with a copy of how it was at the last look.
//
// Hooks would say more cheaply what was written, but they do not see everything: libraries, code that is exempt from instrumentation and
// what a compiler chooses not to instrument write as well. A comparison misses nothing. What can have changed at all is on the pages that
// the rollback knows to be hot, and on the stacks.
//   hot pages   a mirror each; words that differ from it are taken out of the sum with their old and put in with their new value.
//               A page that is as it was at the stop at main adds nothing. Pages that stay as they are, if there are many or for very long, are
//               guarded: made read-only again, and not looked at until a write to them faults. So a look costs what changes, not what there is.
//   stacks      from the frame that counts (state.cpp) up to the thread's first; what lies below is dead.
#include <immintrin.h>
#include <sys/mman.h>

#include "runtime/runtime.h"

namespace heddle::rt {
namespace {

using layout::kPage;
constexpr uint64_t kLine = 64;

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

// Words of [low, high) that differ from those at `mirror` change their part of the sum. REQUIRES multiples of 8. Returns how many did.
uint64_t follow_words(Print& sum, uint64_t low, uint64_t high, uint64_t mirror) {
  auto* now = reinterpret_cast<const uint64_t*>(low);
  auto* then = reinterpret_cast<uint64_t*>(mirror);
  uint64_t changed = 0;
  for (uint64_t at = low; at < high; at += 8, ++now, ++then) {
    if (*now == *then) continue;
    sum.subtract(print_of(at, *then));
    sum.add(print_of(at, *now));
    *then = *now;
    ++changed;
  }
  return changed;
}

// The first line of [low, high) that differs from its mirror, or `high`. REQUIRES whole lines.
uint64_t first_difference(uint64_t low, uint64_t high, uint64_t mirror) {
  while (low < high && same_line(low, mirror)) {
    low += kLine;
    mirror += kLine;
  }
  return low;
}

__attribute__((target("avx2"))) uint64_t first_difference_avx2(uint64_t low, uint64_t high, uint64_t mirror) {
  constexpr uint64_t kBlock = 4 * kLine;
  for (; low + kBlock <= high; low += kBlock, mirror += kBlock) {
    auto* x = reinterpret_cast<const __m256i*>(low);
    auto* y = reinterpret_cast<const __m256i*>(mirror);
    __m256i difference = _mm256_setzero_si256();
    for (int i = 0; i < 8; ++i)
      difference = _mm256_or_si256(difference, _mm256_xor_si256(_mm256_load_si256(x + i), _mm256_load_si256(y + i)));
    if (!_mm256_testz_si256(difference, difference)) break;
  }
  return first_difference(low, high, mirror);
}

// The same as follow_words, for memory of which little changes.
uint64_t follow(Print& sum, uint64_t low, uint64_t high, uint64_t mirror) {
  uint64_t first = (low + kLine - 1) & ~(kLine - 1), last = high & ~(kLine - 1);
  if (first >= last) return follow_words(sum, low, high, mirror);
  uint64_t changed = follow_words(sum, low, first, mirror);
  auto find = R().has_avx2 ? first_difference_avx2 : first_difference;
  for (uint64_t at = first; (at = find(at, last, mirror + (at - low))) < last; at += kLine)
    changed += follow_words(sum, at, at + kLine, mirror + (at - low));
  return changed + follow_words(sum, last, high, mirror + (last - low));
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

// ---- guarding: a write that comes all the same costs as much as a hundred comparisons, so a page must have been still for long enough

constexpr uint32_t kWorthGuarding = 16;  // pages: fewer are compared in the time that protecting them takes
constexpr uint16_t kPatience = 32;
constexpr uint16_t kLongPatience = 1024;  // after so many looks a single page is worth it: it may be one that only the end of the program writes to
constexpr uint8_t kMostFaults = 10;

bool may_be_guarded(const HotPage& page) { return page.still >= (page.calm ? 1 : kPatience << page.faults); }
bool is_worth_guarding(const HotPage& page) { return !page.from && page.still >= kLongPatience << page.faults; }

void guard_pages() {
  Runtime& r = R();
  uint32_t kept = 0;
  uint64_t low = 0, high = 0;  // neighbours are protected with one call
  auto protect = [&] {
    if (low < high) sys(__NR_mprotect, low, high - low, PROT_READ);
  };
  for (uint32_t i = 0; i < r.busy_count; ++i) {
    HotPage& page = r.hot[r.busy[i]];
    if (page.from || !may_be_guarded(page)) {
      r.busy[kept++] = r.busy[i];
      continue;
    }
    page.guarded = page.calm = 1;
    if (page.address != high) {
      protect();
      low = page.address;
    }
    high = page.address + kPage;
  }
  protect();
  r.busy_count = kept;
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

uint64_t stack_end(int slot) { return R().slots[slot].fiber_top; }

void mirror_page(HotPage& page) {
  page.from = mirrored_from(page.address);
  page.changed = page.guarded = page.calm = page.faults = 0;
  page.still = 0;
  if (page.from == kPage) return;
  R().busy[R().busy_count++] = (uint32_t)(&page - R().hot);
  heddle_rt_memcpy(reinterpret_cast<void*>(mirror_of(page)), reinterpret_cast<void*>(page.address), kPage);
}

void mirror_forget(HotPage& page) {
  heddle_rt_memcpy(reinterpret_cast<void*>(mirror_of(page)), reinterpret_cast<void*>(page.address), kPage);
  page.changed = 0;
}

void mirror_begin_run() { R().memory = {}; }

void mirror_unguard(HotPage& page, bool by_program) {
  page.guarded = 0;
  page.calm = !by_program;
  page.still = 0;
  if (by_program && page.faults < kMostFaults) ++page.faults;
  R().busy[R().busy_count++] = (uint32_t)(&page - R().hot);
}

void mirror_begin_thread(int slot) {
  R().stack_print[slot] = {};
  R().stack_seen[slot] = stack_end(slot);
}

void mirror_update() {
  Runtime& r = R();
  uint32_t waiting = 0;
  bool is_worth_it = false;
  for (uint32_t i = 0; i < r.busy_count; ++i) {
    HotPage& page = r.hot[r.busy[i]];
    if (follow(r.memory, page.address + page.from, page.address + kPage, mirror_of(page) + page.from)) {
      page.changed = 1;
      page.still = 0;
    } else if (page.still < 0xffff) {
      ++page.still;
    }
    waiting += may_be_guarded(page);
    is_worth_it |= is_worth_guarding(page);
  }
  if (waiting >= kWorthGuarding || is_worth_it) guard_pages();
}

uint64_t mirror_stack(int slot, uint64_t low) {
  Print& sum = R().stack_print[slot];
  uint64_t seen = R().stack_seen[slot], end = stack_end(slot);
  auto mirror = [slot](uint64_t address) { return layout::stack_mirror(slot, address); };
  if (low < seen) enter_words(sum, low, seen, mirror(low));
  if (low > seen) leave_words(sum, seen, low, mirror(seen));
  uint64_t common = low > seen ? low : seen;
  R().stack_seen[slot] = low;
  return follow(sum, common, end, mirror(common)) + (low > seen ? low - seen : seen - low) / 8;
}

}  // namespace heddle::rt
