// The deterministic heap: one arena a thread, so that an address depends only on what the allocating thread did before; no
// reuse within a run, so that addresses are identities and a use after free shows; fresh memory is zero every time.
// Where states are captured nothing is reused at all: what can be reused would be part of the state.
//
// A block has a header of 16 bytes before it, in the program's memory (it is rolled back with the rest). The header is sealed, and
// in the shadow its bytes are out of bounds for the program.
#include <errno.h>

#include "runtime/race.h"
#include "runtime/runtime.h"

namespace heddle::rt {
namespace {

struct Header {
  uint64_t size;
  uint64_t seal;  // low byte: state
};
enum State : uint64_t { kAllocated = 0xa1, kWasFreed = 0xf5 };

// From here on an arena reuses blocks that its own thread has freed, oldest first.
constexpr uint64_t kMemoryIsShort = 256ULL << 20;

uint64_t seal_of(const Header& h, State state) {
  uint64_t x = (reinterpret_cast<uint64_t>(&h) ^ h.size * 0x9e3779b97f4a7c15ULL) * 0xff51afd7ed558ccdULL;
  return (x & ~0xffULL) | state;
}
bool sealed(const Header& h, State state) { return h.seal == seal_of(h, state); }
Header& header_of(uint64_t block) { return *reinterpret_cast<Header*>(block - sizeof(Header)); }

uint64_t round_up(uint64_t n, uint64_t to) { return (n + to - 1) & ~(to - 1); }

// Blocks of one class have the same room. Up to 1 KB a class every 16 bytes, from there on four to each doubling.
constexpr uint64_t kFine = 1024;
constexpr int kFineClasses = kFine / 16;
uint64_t coarse_step(uint64_t size) { return 1ULL << (61 - __builtin_clzll(size - 1)); }
uint64_t room_for(uint64_t size) { return size > kFine ? round_up(size, coarse_step(size)) : round_up(size ? size : 1, 16); }
int class_of(uint64_t room) {
  if (room <= kFine) return (int)(room / 16) - 1;
  int doubling = 63 - __builtin_clzll(room - 1) - 10;
  int quarter = (int)(room / coarse_step(room)) - 5;
  return kFineClasses + 4 * doubling + quarter;
}
static_assert(kFineClasses + 4 * (34 - 10) <= kSizeClasses && layout::kArenaBytes <= 1ULL << 34);

uint64_t& link_in(uint64_t block) { return *reinterpret_cast<uint64_t*>(block); }

uint64_t take_freed(Arena& a, uint64_t size) {
  int c = class_of(room_for(size));
  if (!a.free_head[c]) return 0;
  uint64_t block = a.free_head[c];
  a.free_head[c] = link_in(block);
  if (!a.free_head[c]) a.free_tail[c] = 0;
  heddle_rt_memset(reinterpret_cast<void*>(block), 0, room_for(size));
  if (running()) mark_reused(block, room_for(size));
  return block;
}

void keep_freed(Arena& a, uint64_t block, uint64_t size) {
  int c = class_of(room_for(size));
  a.reuses = 1;
  link_in(block) = 0;
  if (a.free_tail[c]) link_in(a.free_tail[c]) = block;
  else a.free_head[c] = block;
  a.free_tail[c] = block;
}

uint64_t take_fresh(Arena& a, int slot, uint64_t size, uint64_t alignment, uint64_t& low) {
  low = a.next;
  uint64_t block = round_up(a.next + sizeof(Header), alignment);
  uint64_t next = block + room_for(size);
  if (next < block || next > layout::arena_low(slot) + layout::kArenaBytes) return 0;
  a.next = next;
  return block;
}

// What was in a freed block is no part of the state. Pages that nobody has written are left alone.
void clear(uint64_t block, uint64_t size) {
  auto* word = reinterpret_cast<uint64_t*>(block);
  for (uint64_t i = 0; i < size / 8; ++i)
    if (word[i]) word[i] = 0;
}

void bad_free(uint64_t block, uint64_t pc, wire::ReportKind kind, const char* text) {
  if (heddle_mode == Mode::PreMain) fatal(text);
  if (R().report_count == kMaxReports) --R().report_count;
  wire::Report* r = report(kind, pc, text);
  r->address = name_of(block);
  r->access = wire::kAccessFree;
  end_run(wire::End::Stopped);
}

}  // namespace

void* heap_allocate(uint64_t size, uint64_t alignment, uint64_t pc) {
  Thread& t = self();
  Arena& a = R().arenas[t.slot];
  ++R().writes;
  if (size > layout::kArenaBytes) return nullptr;
  if (alignment < 16) alignment = 16;
  bool is_short = !captures() && a.next - layout::arena_low(t.slot) > kMemoryIsShort;
  uint64_t low = 0;
  uint64_t block = is_short && alignment == 16 ? take_freed(a, size) : 0;
  if (!block) block = take_fresh(a, t.slot, size, alignment, low);
  if (!block) return nullptr;
  Header& h = header_of(block);
  h.size = size;
  h.seal = seal_of(h, kAllocated);
  if (HEDDLE_UNLIKELY(R().detail) && block < R().watch_high && block + size >= R().watch_low)
    add_stack(wire::StackRecord::OfAllocation, t, 0, pc);
  mark_allocated(block, size, low ? round_up(low, 8) : block - sizeof(Header),
                 block + room_for(size) + sizeof(Header));  // what follows is the next block's header, now or later
  return reinterpret_cast<void*>(block);
}

uint64_t heap_size(void* block) { return header_of(reinterpret_cast<uint64_t>(block)).size; }

// What is not a live block will be a finding when it is freed.
void heap_announce_free(void* pointer, uint64_t pc) {
  auto block = reinterpret_cast<uint64_t>(pointer);
  if ((block & 15) || block < layout::kHeap + 16 || block >= R().arenas[(block - layout::kHeap) / layout::kArenaBytes].next) return;
  if (sealed(header_of(block), kAllocated)) visible_free(block, header_of(block).size, pc);
}

void heap_free(void* pointer, uint64_t pc) {
  auto block = reinterpret_cast<uint64_t>(pointer);
  if (!block) return;
  if ((block & 15) || block < layout::kHeap + 16) return bad_free(block, pc, wire::ReportKind::BadFree, "free of a pointer that no allocation returned");
  uint64_t slot = (block - layout::kHeap) / layout::kArenaBytes;
  Header& h = header_of(block);
  if (block >= R().arenas[slot].next || (!sealed(h, kAllocated) && !sealed(h, kWasFreed)))
    return bad_free(block, pc, wire::ReportKind::BadFree, "free of a pointer that no allocation returned, or whose header was overwritten");
  if (sealed(h, kWasFreed)) return bad_free(block, pc, wire::ReportKind::DoubleFree, "block is freed a second time");
  h.seal = seal_of(h, kWasFreed);
  ++R().writes;
  mark_freed(block, room_for(h.size), pc, instrumented(pc));
  if (captures()) clear(block, room_for(h.size));
  else if (slot == self().slot) keep_freed(R().arenas[slot], block, h.size);
}

// Of what mmap has taken from here, any pages may go. Where they were is not used again in this run.
long heap_unmap(uint64_t address, uint64_t size, uint64_t pc) {
  if ((address & (layout::kPage - 1)) || !size) return -EINVAL;
  uint64_t bytes = round_up(size, layout::kPage);
  ++R().writes;
  mark_freed(address, bytes, pc, instrumented(pc));
  if (captures()) clear(address, bytes);
  return 0;
}

}  // namespace heddle::rt
