// The functions that -fsanitize=thread code calls for plain accesses and for function entry and exit.
#include "runtime/lifetimes.h"
#include "runtime/pieces.h"
#include "runtime/race.h"
#include "runtime/runtime.h"

using namespace heddle::rt;

namespace {

inline uint64_t raw(const void* p) { return reinterpret_cast<uint64_t>(p); }

inline void range(const void* address, uint64_t size, bool write, uint64_t pc) {
  if (!running()) return;
  R().used |= heddle::wire::kAccessed;
  range_access(raw(address), size, write, pc);
}

}  // namespace

#define PLAIN(size)                                                                                                            \
  HEDDLE_EXPORT void __tsan_read##size(void* a) { if (running()) small_access<size, false>(raw(a), HEDDLE_PC); }               \
  HEDDLE_EXPORT void __tsan_write##size(void* a) { if (running()) small_access<size, true>(raw(a), HEDDLE_PC); }               \
  HEDDLE_EXPORT void __tsan_volatile_read##size(void* a) { if (running()) small_access<size, false>(raw(a), HEDDLE_PC); }      \
  HEDDLE_EXPORT void __tsan_volatile_write##size(void* a) { if (running()) small_access<size, true>(raw(a), HEDDLE_PC); }      \
  HEDDLE_EXPORT void __tsan_read_write##size(void* a) {                                                                        \
    if (!running()) return;                                                                                                    \
    small_access<size, false>(raw(a), HEDDLE_PC);                                                                              \
    small_access<size, true>(raw(a), HEDDLE_PC);                                                                               \
  }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)

#define RANGED(name, size)                                                                                  \
  HEDDLE_EXPORT void __tsan_##name##read##size(void* a) { range(a, size, false, HEDDLE_PC); }               \
  HEDDLE_EXPORT void __tsan_##name##write##size(void* a) { range(a, size, true, HEDDLE_PC); }               \
  HEDDLE_EXPORT void __tsan_##name##read_write##size(void* a) {                                             \
    range(a, size, false, HEDDLE_PC);                                                                       \
    range(a, size, true, HEDDLE_PC);                                                                        \
  }
RANGED(, 16)
RANGED(unaligned_, 2)
RANGED(unaligned_, 4)
RANGED(unaligned_, 8)
RANGED(unaligned_, 16)

#define VOLATILE_RANGED(name)                                                                               \
  HEDDLE_EXPORT void __tsan_##name(void* a)
VOLATILE_RANGED(volatile_read16) { range(a, 16, false, HEDDLE_PC); }
VOLATILE_RANGED(volatile_write16) { range(a, 16, true, HEDDLE_PC); }
VOLATILE_RANGED(unaligned_volatile_read2) { range(a, 2, false, HEDDLE_PC); }
VOLATILE_RANGED(unaligned_volatile_read4) { range(a, 4, false, HEDDLE_PC); }
VOLATILE_RANGED(unaligned_volatile_read8) { range(a, 8, false, HEDDLE_PC); }
VOLATILE_RANGED(unaligned_volatile_read16) { range(a, 16, false, HEDDLE_PC); }
VOLATILE_RANGED(unaligned_volatile_write2) { range(a, 2, true, HEDDLE_PC); }
VOLATILE_RANGED(unaligned_volatile_write4) { range(a, 4, true, HEDDLE_PC); }
VOLATILE_RANGED(unaligned_volatile_write8) { range(a, 8, true, HEDDLE_PC); }
VOLATILE_RANGED(unaligned_volatile_write16) { range(a, 16, true, HEDDLE_PC); }

HEDDLE_EXPORT void __tsan_read_range(void* a, unsigned long size) { range(a, size, false, HEDDLE_PC); }
HEDDLE_EXPORT void __tsan_write_range(void* a, unsigned long size) { range(a, size, true, HEDDLE_PC); }
HEDDLE_EXPORT void __tsan_vptr_read(void** a) { if (running()) small_access<8, false>(raw(a), HEDDLE_PC); }
HEDDLE_EXPORT void __tsan_vptr_update(void** a, void* value) {
  if (running() && *a != value) small_access<8, true>(raw(a), HEDDLE_PC);  // writing what is there already harms nobody
}

HEDDLE_EXPORT void __tsan_init(void) {}

// The shadow call stack. Frames that a longjmp or an exception left behind lie below the new one and are dropped.
HEDDLE_EXPORT void __tsan_func_entry(void* caller) {
  if (!running()) return;
  settle_if_owed();
  Thread& t = self();
  Frame* frames = store_of(t).frames;
  auto sp = raw(__builtin_frame_address(0));
  while (HEDDLE_UNLIKELY(t.frames && t.frames <= kMaxFrames && frames[t.frames - 1].sp <= sp)) {
    --t.frames;
    t.frames_doubtful = 1;
  }
  // Whoever calls the first frame of a thread is not the program.
  if (t.frames < kMaxFrames) frames[t.frames] = {t.frames ? raw(caller) - 1 : 0, sp};
  ++t.frames;
}
HEDDLE_EXPORT void __tsan_func_exit(void) {
  if (!running()) return;
  settle_if_owed();
  Thread& t = self();
  if (!t.frames) return;
  --t.frames;
  if (HEDDLE_UNLIKELY(is_shared(t.shared[0]))) frame_ends(t, raw(__builtin_frame_address(0)), HEDDLE_PC);
}
