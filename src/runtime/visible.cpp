// Which plain accesses are scheduling points: those of addresses that the explorer has named, or all.
#include "runtime/exempt.h"
#include "runtime/pieces.h"
#include "runtime/race.h"
#include "runtime/runtime.h"
#include "runtime/told_value.h"

namespace heddle::rt {
namespace {

bool any_plain(const Runtime& r) {
  for (uint32_t i = 0; i < r.visible_seen; ++i)
    if (!wire::is_hidden(r.visible[i].low)) return true;
  return false;
}

}  // namespace

void visible_begin_run() {
  Runtime& r = R();
  r.owes_pieces = 0;
  r.owed.before.count = r.owed.real.count = 0;
  const wire::Segment& s = *r.segment;
  uint32_t count = s.visible_count < wire::kMaxVisibleRanges ? s.visible_count : wire::kMaxVisibleRanges;
  for (uint32_t i = 0; i < count; ++i) {  // those that are known already may have grown
    MemoryRange& range = r.visible[i];
    if (i < r.visible_seen && range.high - range.low == s.visible[i].size) continue;
    range.low = raw_address(s.visible[i].address);
    range.high = range.low + s.visible[i].size;
    if (wire::is_hidden(range.low)) continue;  // no access of the program has to be compared with it
    for (uint64_t g = range.low >> 3; g <= (range.high - 1) >> 3; ++g) {
      uint32_t h = filter_slot(g);
      r.visible_bits[h >> 6] |= 1ULL << (h & 63);
    }
  }
  r.visible_seen = count;
  r.visible_mode = r.visibility == wire::Visibility::All ? 2 : any_plain(r) ? 1 : 0;
}

bool is_visible(uint64_t address, uint64_t size) {
  Runtime& r = R();
  if (r.visible_mode == 2) return true;
  for (uint64_t g = address >> 3; g <= (address + size - 1) >> 3; ++g) {
    uint32_t h = filter_slot(g);
    if (!(r.visible_bits[h >> 6] >> (h & 63) & 1)) continue;
    for (uint32_t i = 0; i < r.visible_seen; ++i)
      if (address < r.visible[i].high && address + size > r.visible[i].low) return true;
  }
  return false;
}

namespace {

// What lies there, before the program writes it. If it cannot be read, the program crashes here instead of there.
uint64_t probe(uint64_t address, uint32_t size, uint64_t pc) {
  R().probing = pc;
  uint64_t value = value_at(address, size);
  asm volatile("" ::"r"(value) : "memory");
  R().probing = 0;
  return value;
}

void visible_access(uint64_t address, uint32_t size, bool write, uint64_t pc, bool last) {
  PendingOp op{};
  op.op = write ? Op::Write : Op::Read;
  op.write = write;
  op.size = size;
  op.address = address;
  op.pc = pc;
  op.rest = last ? Rest::Program : Rest::Hook;
  announce(op);
  if (write && is_told(size)) tell_value(probe(address, size, pc));
  if (write) note_change(address, size);
  else note_read(address, size);
}

}  // namespace

void announce_visible(uint64_t address, uint64_t size, bool write, uint64_t pc) {
  if (ignores(write) || !is_visible(address, size)) return;
  if (captures()) clear_stack_below();
  visible_access(address, (uint32_t)size, write, pc, false);
}

void access(uint64_t address, uint64_t size, bool write, uint64_t pc, bool last) {
  settle_if_owed();
  if (!size || ignores(write)) return;
  if (write) before_write(address, size);
  if (HEDDLE_UNLIKELY(R().visible_mode) && is_visible(address, size) && !is_exempt(address)) {
    if (!last && captures()) clear_stack_below();
    visible_access(address, (uint32_t)size, write, pc, last);
  }
  slow_access(address, size, write ? kWrite : kRead, pc);
}

// To free a block is to write to all of it: accesses come before it or too late. Searches that know a run by its operations rely on that.
void visible_free(uint64_t block, uint64_t size, uint64_t pc) {
  if (ignores(true)) return;
  if (captures()) clear_stack_below();
  visible_access(block, size ? (uint32_t)size : 1, true, pc, false);
}

}  // namespace heddle::rt
