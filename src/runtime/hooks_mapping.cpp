// munmap: what ends accesses. In rollback mode the memory is the heap's, and guard.cpp marks it as freed. A real mapping is
// gone from then on, so that a later access crashes; an earlier one that nothing orders with the end is a race.
#include <sys/mman.h>

#include "runtime/hooks.h"
#include "runtime/race.h"
#include "runtime/real.h"

using namespace heddle::rt;

namespace {

constexpr uint64_t kMostChecked = 1 << 20;

// Whoever is given this memory next has it to himself: nothing of what was there before counts.
void end_mapping(uint64_t address, uint64_t size, uint64_t pc) {
  if ((address & (layout::kPage - 1)) || size > kMostChecked) return;
  uint64_t bytes = (size + layout::kPage - 1) & ~(layout::kPage - 1);
  mark_freed(address, bytes, pc, true);
  mark_reused(address, bytes);
}

}  // namespace

HEDDLE_EXPORT int munmap(void* address, size_t size) {
  if (running() && size && instrumented(HEDDLE_PC)) {
    bool is_heap = layout::in_heap(raw(address));
    if (HEDDLE_UNLIKELY(R().visible_mode == 2)) visible_free(raw(address), size, HEDDLE_PC);
    if (!is_heap) end_mapping(raw(address), size, HEDDLE_PC);
  }
  return REAL(munmap)(address, size);
}
