// What a trampoline asks first: is there anything to tell of this access at all? As with hooks, there is not if the same thread has made
// such an access to these bytes in this epoch.
//
// This file is compiled to use general registers only (CMakeLists.txt): the vector registers are the program's, and are not saved yet.
#include "runtime/patch.h"
#include "runtime/race.h"

namespace heddle::rt {
namespace {

enum Next : int {
  kDone = 0,
  kTell = 1,     // by code that does not let other threads go on: it uses the vector registers xmm at most
  kMayWait = 2,  // other threads may go on before it returns, or it reads vector registers
};

inline bool all_known(uint64_t address, uint64_t size, int kind) {
  uint64_t end = address + size;
  for (uint64_t g = address & ~7ULL; g < end; g += 8) {
    uint64_t low = g < address ? address - g : 0, high = end - g < 8 ? end - g : 8;
    if (!known(g, (uint8_t)((0xff >> (8 - (high - low))) << low), kind)) return false;
  }
  return true;
}

Next next_of(uint64_t address, const wire::PatchSite& s) {
  using wire::PatchKind;
  if (!running()) return kDone;
  const Runtime& r = R();
  if (s.kind == PatchKind::After || s.kind == PatchKind::Note) return kTell;
  if (s.kind != PatchKind::Plain && s.kind != PatchKind::String) return kMayWait;
  if (HEDDLE_UNLIKELY(r.visible_mode | r.detail) || HEDDLE_UNLIKELY(r.machine_run == r.run)) return kMayWait;
  if (s.kind == PatchKind::String) return kTell;
  bool writes = s.flags & wire::kPatchWrite;
  if (!all_known(address, s.size, writes ? kWrite : kRead)) return kTell;
  if (!writes || address - r.stack_low < layout::kStackBytes) return kDone;
  if (layout::in_stacks(address)) return kTell;
  ++R().writes;
  return kDone;
}

}  // namespace
}  // namespace heddle::rt

extern "C" __attribute__((flatten)) int heddle_patched_next(uint64_t address, const heddle::wire::PatchSite* site) {
  return heddle::rt::next_of(address, *site);
}
