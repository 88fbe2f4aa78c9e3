// Layout of the shadow and the fast path of the race detector (race.cpp has the rest).
#pragma once
#include "runtime/runtime.h"

namespace heddle::rt {

enum AccessKind : uint8_t { kRead = 0, kWrite = 1, kAtomicRead = 2, kAtomicWrite = 3 };

// Thread numbers with another meaning.
inline constexpr uint32_t kFreed = 255;    // the bytes belong to a freed block
inline constexpr uint32_t kRedzone = 254;  // the bytes belong to no block
inline constexpr uint32_t kList = 253;     // the granule's entries are in a list; its head is in entry 1

struct Granule {
  uint64_t entry[2];
};
struct PcPair {
  uint32_t pc[2];
};

inline Granule& granule_at(uint64_t address) {
  return *reinterpret_cast<Granule*>(layout::kShadow + ((address & layout::kAddressMask & ~7ULL) << 1));
}
inline PcPair& pcs_at(uint64_t address) {
  return *reinterpret_cast<PcPair*>(layout::kPcShadow + (address & layout::kAddressMask & ~7ULL));
}

inline uint8_t mask_in(uint64_t e) { return (uint8_t)e; }
inline int kind_in(uint64_t e) { return (int)(e >> 8 & 3); }
inline uint32_t thread_in(uint64_t e) { return (uint32_t)(e >> 10 & 0xff); }
inline uint32_t clock_in(uint64_t e) { return (uint32_t)(e >> 18 & 0xffffff); }
inline uint64_t with_mask(uint64_t e, uint8_t mask) { return (e & ~0xffULL) | mask; }
inline bool of_this_run(uint64_t e) { return mask_in(e) && (uint32_t)(e >> 42) == (R().run & 0x3fffff); }
inline bool same_access(uint64_t a, uint64_t b) { return ((a ^ b) & ~0xffULL) == 0; }
inline bool is_special(uint64_t e) { return thread_in(e) >= kRedzone; }
inline bool is_list(uint64_t e) { return thread_in(e) == kList && of_this_run(e); }
inline uint64_t special(uint32_t what, uint8_t mask) {
  return (uint64_t)(R().run & 0x3fffff) << 42 | (uint64_t)what << 10 | mask;
}
inline uint32_t& list_head(Granule& g) { return reinterpret_cast<uint32_t&>(g.entry[1]); }
inline void make_list(Granule& g, uint32_t head) {
  g.entry[0] = special(kList, 0xff);
  g.entry[1] = head;
}
inline uint32_t filter_slot(uint64_t granule_number) {
  return (uint32_t)(granule_number * 0x9e3779b97f4a7c15ULL >> 48) & (kVisibleFilter - 1);
}

// Has this thread already made such an access to these bytes in this epoch? Then nothing new can be learnt from it.
inline bool known(uint64_t address, uint8_t mask, int kind) {
  const Granule& g = granule_at(address);
  const uint64_t epoch = R().epoch;
  auto has = [&](uint64_t e, int what) { return (e & ~0xffULL) == (epoch | (uint64_t)what << 8) && (e & mask) == mask; };
  if (has(g.entry[0], kind) || has(g.entry[1], kind)) return true;
  return kind == kRead && (has(g.entry[0], kWrite) || has(g.entry[1], kWrite));  // having written covers reading
}

void slow_access(uint64_t address, uint64_t size, int kind, uint64_t pc);
void mark_reused(uint64_t block, uint64_t size);

// Of code that the compiler has instrumented, as opposed to what the runtime knows of library functions.
inline void instrumented_access(uint64_t address, uint64_t size, bool write, uint64_t pc) {
  R().used |= wire::kAccessed;
  access(address, size, write, pc, true);
}

// A plain access of 1, 2, 4 or 8 bytes that lies within one granule.
template <int kSize, bool kIsWrite>
inline void small_access(uint64_t address, uint64_t pc) {
  uint64_t within = address & 7;
  if (kIsWrite) before_write(address, kSize);
  if (HEDDLE_UNLIKELY(R().visible_mode | R().detail) || HEDDLE_UNLIKELY(within + kSize > 8))
    return instrumented_access(address, kSize, kIsWrite, pc);
  auto mask = (uint8_t)((kSize == 8 ? 0xff : (1 << kSize) - 1) << within);
  if (HEDDLE_LIKELY(known(address, mask, kIsWrite ? kWrite : kRead))) return;
  if (HEDDLE_UNLIKELY(ignores(kIsWrite))) return;
  R().used |= wire::kAccessed;
  slow_access(address, kSize, kIsWrite ? kWrite : kRead, pc);
}

}  // namespace heddle::rt
