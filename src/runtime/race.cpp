// The happens-before race detector, and the marks that make use after free and heap overflow visible.
//
// Shadow of 8 bytes ("granule"): two entries of 64 bits
//     run 22 | clock 24 | thread 8 | kind 2 | mask 8
// an access of `kind` to the bytes in `mask`, made by `thread` at its `clock` in this `run`; an entry of another run counts as
// empty, so nothing is cleared between runs. When two entries do not suffice, entry 0 leads to a list of Cells.
//
// Kept per byte is exactly the set of earlier accesses that a later one could still race with: an access e' is dropped when a
// later access e that it happens before conflicts with everything that e' conflicts with. So no race is lost and none is
// invented, whatever sizes and alignments are mixed.
//
// Neighbouring bytes that a thread has accessed in one epoch share an entry if that was done in one place, or if there is no room for two; then the place is that
// of the last one. The run that shows a race to the user (`detail`) keeps them apart in the range that it watches.
#include "runtime/race.h"

#include "runtime/exempt.h"
#include "runtime/lifetimes.h"
#include "runtime/patch.h"
#include "runtime/runtime.h"
#include "runtime/unseen_order.h"

namespace heddle::rt {
namespace {

// What kind `a` conflicts with, as a set of kinds: two reads never do, nor two atomic accesses.
constexpr uint8_t kConflicts[4] = {
    /* Read        */ 1 << kWrite | 1 << kAtomicWrite,
    /* Write       */ 1 << kRead | 1 << kWrite | 1 << kAtomicRead | 1 << kAtomicWrite,
    /* AtomicRead  */ 1 << kWrite,
    /* AtomicWrite */ 1 << kRead | 1 << kWrite,
};
bool conflict(int a, int b) { return kConflicts[a] >> b & 1; }
bool in_conflict_or_atomic(int a, int b) { return conflict(a, b) || (a >= kAtomicRead && b >= kAtomicRead && a + b > 2 * kAtomicRead); }
bool covers(int later, int earlier) { return (kConflicts[earlier] & ~kConflicts[later]) == 0; }

uint8_t flags_of(int kind) {
  return (uint8_t)((kind == kWrite || kind == kAtomicWrite ? wire::kAccessWrite : 0) |
                   (kind == kAtomicRead || kind == kAtomicWrite ? wire::kAccessAtomic : 0));
}

struct Access {
  uint64_t granule;  // address of its first byte
  uint8_t mask;
  uint8_t kind;
  uint8_t freeing;
  uint64_t address;
  uint32_t size;
  uint64_t pc;
};

bool happened_before(uint64_t entry) {
  const Thread& t = self();
  uint32_t thread = thread_in(entry);
  return thread == t.slot || t.clock.at[thread] >= clock_in(entry);
}

bool lies_in(const wire::Report& r, wire::Address address) {
  return address >= r.address && address < r.address + (r.size > r.other_size ? r.size : r.other_size);
}

// Where races are explored, each place in memory is told until it is visible: what it leads to shows only then.
bool is_known_place(const wire::Report& r, wire::Address address) {
  return R().visible_mode != 1 || lies_in(r, address) || is_visible(raw_address(address), 1);
}

// One that may have been ordered unseen says nothing of one that has not.
bool already_reported(wire::Address pc, wire::Address other_pc, wire::Address address, bool is_doubtful) {
  for (uint32_t i = 0; i < R().report_count; ++i) {
    const wire::Report& r = R().reports[i];
    if (r.kind != wire::ReportKind::DataRace || (r.text_length && !is_doubtful)) continue;
    if (r.pc == pc && r.other_pc == other_pc && is_known_place(r, address)) return true;
    if (r.address == address && r.other_pc == pc && r.pc == other_pc) return true;
  }
  return false;
}

uint8_t unseen_flag(uint64_t pc) { return patched(pc) == Patched::Unseen ? (uint8_t)wire::kAccessUnseenCode : (uint8_t)0; }

// Code without hooks may make locks of plain reads and writes, and inline assembly of one locked instruction and a plain write. A race of such
// accesses may be how two threads are put in order, and then what they do afterwards, in this run, is ordered, too. Null: nobody orders them so.
const char* patched_code_between(const Access& a, uint64_t entry, uint32_t other_pc) {
  const Patched one = patched(a.pc), other = patched(unpack_pc(other_pc));
  const bool is_atomic = a.kind >= kAtomicRead || kind_in(entry) >= kAtomicRead;
  if (one == Patched::Unseen || other == Patched::Unseen) R().patched_orderer = "code that was built without the drivers";
  else if (one == Patched::Yes && other == Patched::Yes && is_atomic) R().patched_orderer = "inline assembly";
  return R().patched_orderer;
}

// Half of the room is for places that are not visible yet, so that they come to be so.
bool has_room(wire::Address address) {
  if (R().visible_mode == 1 && R().report_count >= kMaxReports / 2 && is_visible(raw_address(address), 1)) return false;
  return R().report_count + 1 < kMaxReports;
}

// `orderer`: who may have ordered the two sides unseen; null: nobody.
void report_race(const Access& a, uint64_t entry, uint32_t other_pc, const char* orderer) {
  wire::Address pc = name_of(a.pc), other = name_of(unpack_pc(other_pc));
  int first = __builtin_ctz(a.mask & mask_in(entry));
  wire::Address address = name_of(a.granule + (unsigned)first);
  if (already_reported(pc, other, address, orderer)) return;
  wire::Report* r = has_room(address) ? report(wire::ReportKind::DataRace, a.pc, orderer ? orderer : "") : nullptr;
  if (!r) {
    ++R().races_dropped;
    return;
  }
  r->access = (uint8_t)(flags_of(a.kind) | (a.freeing ? wire::kAccessFree : 0) | unseen_flag(a.pc));
  r->other_access = (uint8_t)(flags_of(kind_in(entry)) | unseen_flag(unpack_pc(other_pc)));
  r->other_thread = (uint8_t)thread_in(entry);
  r->other_clock = clock_in(entry);
  r->other_pc = other;
  r->address = address;
  r->size = a.size;
  r->other_size = (uint32_t)__builtin_popcount(mask_in(entry));
}

[[noreturn]] void report_heap_misuse(const Access& a, uint64_t entry) {
  bool freed = thread_in(entry) == kFreed;
  if (R().report_count == kMaxReports) --R().report_count;
  wire::Report* r = report(freed ? wire::ReportKind::UseAfterFree : wire::ReportKind::HeapOverflow, a.pc,
                           freed ? "access to a heap block that has been freed" : "access outside of a heap block");
  r->access = flags_of(a.kind);
  r->address = name_of(a.address);
  r->size = a.size;
  end_run(wire::End::Stopped);
}

// Takes `a` against one earlier entry. Returns the bytes of the entry that must be kept.
uint8_t meet(const Access& a, uint64_t entry, uint32_t pc) {
  uint8_t mask = mask_in(entry), common = (uint8_t)(mask & a.mask);
  if (!common) return mask;
  if (is_special(entry)) {
    if (a.freeing) return mask;
    report_heap_misuse(a, entry);
  }
  if (thread_in(entry) != self().slot && in_conflict_or_atomic(a.kind, kind_in(entry))) R().used |= wire::kShared;
  if (happened_before(entry)) return covers(a.kind, kind_in(entry)) ? (uint8_t)(mask & ~common) : mask;
  if (!conflict(a.kind, kind_in(entry))) return mask;
  const char* orderer = unseen_between(thread_in(entry), clock_in(entry));
  if (!orderer) orderer = patched_code_between(a, entry, pc);
  if (R().detect_races) report_race(a, entry, pc, orderer);
  if (orderer) return mask;          // somebody else may race with it for certain
  return (uint8_t)(mask & ~common);  // told once is enough
}

uint32_t new_cell(uint64_t entry, uint32_t pc, uint32_t next) {
  Runtime& r = R();
  if (r.cell_count + 1 >= kMaxCells) fatal("the race detector's memory is exhausted");
  uint32_t i = ++r.cell_count;
  r.cells[i] = {entry, pc, next};
  return i;
}

bool may_share(const Access& a) { return !R().detail || a.granule >= R().watch_high || a.granule + 8 <= R().watch_low; }

void add_to_list(Granule& g, const Access& a, uint64_t mine, uint32_t pc) {
  uint32_t* link = &list_head(g);
  while (*link) {
    Cell& c = R().cells[*link];
    uint8_t keep = meet(a, c.entry, c.pc);
    if (same_access(c.entry, mine) && (c.pc == pc || may_share(a))) {
      mine |= mask_in(c.entry);
      keep = 0;
    }
    if (keep) {
      c.entry = with_mask(c.entry, keep);
      link = &c.next;
    } else {
      *link = c.next;
    }
  }
  list_head(g) = new_cell(mine, pc, list_head(g));
}

// Makes room: of the new entry and two others, those of one thread's epoch and one kind become one. Returns how many others are left.
int share(uint64_t (&kept)[2], uint32_t (&kept_pc)[2], uint64_t& mine) {
  for (int i = 0; i < 2; ++i) {
    if (!same_access(kept[i], mine)) continue;
    mine |= mask_in(kept[i]);
    kept[0] = kept[1 - i];
    kept_pc[0] = kept_pc[1 - i];
    return 1;
  }
  if (!same_access(kept[0], kept[1])) return 2;
  kept[0] |= mask_in(kept[1]);  // the younger one's place
  return 1;
}

bool in_large_freed(uint64_t address) {
  const Runtime& r = R();
  for (uint32_t i = 0; i < r.large_freed_count; ++i)
    if (address >= r.large_freed[i].low && address < r.large_freed[i].high) return true;
  return false;
}

// The first access to a part of a large block that its allocation has filled: from here on the shadow says so itself.
void take_from_large_write(Granule& g, uint64_t granule) {
  const Runtime& r = R();
  for (uint32_t i = 0; i < r.large_written_count; ++i) {
    if (granule < r.large_written[i].low || granule >= r.large_written[i].high) continue;
    g.entry[0] = r.large_written[i].entry;
    g.entry[1] = 0;
    pcs_at(granule).pc[0] = r.large_written[i].pc;
    return;
  }
}

void check_and_add(const Access& a) {
  Granule& g = granule_at(a.granule);
  if (HEDDLE_UNLIKELY(R().large_freed_count) && !of_this_run(g.entry[0]) && !of_this_run(g.entry[1]) && !a.freeing &&
      in_large_freed(a.granule))
    report_heap_misuse(a, special(kFreed, 0xff));
  if (HEDDLE_UNLIKELY(R().large_written_count) && !of_this_run(g.entry[0]) && !of_this_run(g.entry[1]))
    take_from_large_write(g, a.granule);
  PcPair& pcs = pcs_at(a.granule);
  uint64_t mine = R().epoch | (uint64_t)a.kind << 8 | a.mask;
  uint32_t pc = pack_pc(a.pc);
  if (is_list(g.entry[0])) return add_to_list(g, a, mine, pc);

  uint64_t kept[2];
  uint32_t kept_pc[2];
  int n = 0;
  for (int i = 0; i < 2; ++i) {
    uint64_t e = g.entry[i];
    if (!of_this_run(e)) continue;
    uint8_t keep = meet(a, e, pcs.pc[i]);
    if (same_access(e, mine) && pcs.pc[i] == pc) {
      mine |= mask_in(e);
      keep = 0;
    }
    if (!keep) continue;
    kept[n] = with_mask(e, keep);
    kept_pc[n++] = pcs.pc[i];
  }
  if (n == 2 && may_share(a)) n = share(kept, kept_pc, mine);
  if (n < 2) {
    g.entry[0] = mine;
    pcs.pc[0] = pc;
    g.entry[1] = n ? kept[0] : 0;
    pcs.pc[1] = n ? kept_pc[0] : 0;
    return;
  }
  uint32_t list = new_cell(mine, pc, new_cell(kept[0], kept_pc[0], new_cell(kept[1], kept_pc[1], 0)));
  make_list(g, list);
}

void each_granule(Access a, uint64_t address, uint64_t size) {
  uint64_t end = address + size;
  for (uint64_t g = address & ~7ULL; g < end; g += 8) {
    int low = g < address ? (int)(address - g) : 0;
    int high = end - g < 8 ? (int)(end - g) : 8;
    a.granule = g;
    a.mask = (uint8_t)((0xff >> (8 - (high - low))) << low);
    if (!known(g, a.mask, a.kind)) check_and_add(a);
  }
}

void watch(uint64_t address, uint64_t size, uint8_t kind, uint64_t pc) {
  Runtime& r = R();
  if (address >= r.watch_high || address + size <= r.watch_low) return;
  // Stack of every access to the watched range: the explorer finds the earlier side of a report by thread and clock.
  const Thread& t = self();
  add_stack(wire::StackRecord::OfReportOther, t, t.clock.at[t.slot] << 3 | kind, pc, (uint32_t)size);
}

}  // namespace

void slow_access(uint64_t address, uint64_t size, int kind, uint64_t pc) {
  if (HEDDLE_UNLIKELY(R().unseen_open)) close_unseen();
  if (is_exempt(address)) return;
  if (HEDDLE_UNLIKELY(R().detail)) watch(address, size, (uint8_t)kind, pc);
  if (HEDDLE_UNLIKELY(is_of_other_stack(address))) access_other_stack(address, size, flags_of(kind), pc);
  each_granule({0, 0, (uint8_t)kind, 0, address, (uint32_t)size, pc}, address, size);
}

void atomic_access(uint64_t address, uint32_t size, bool write, uint64_t pc) {
  slow_access(address, size, write ? kAtomicWrite : kAtomicRead, pc);
}

namespace {

bool is_unordered(uint64_t entry, uint8_t mask) {
  return of_this_run(entry) && !is_special(entry) && (mask_in(entry) & mask) && !happened_before(entry);
}

Earlier earlier(uint64_t granule, uint8_t mask, uint64_t entry, uint32_t pc) {
  auto bytes = (uint8_t)(mask_in(entry) & mask);
  return {granule + (unsigned)__builtin_ctz(bytes), (uint32_t)__builtin_popcount(bytes), (uint8_t)thread_in(entry),
          flags_of(kind_in(entry)), clock_in(entry), name_of(unpack_pc(pc))};
}

bool find_unordered_in(uint64_t granule, uint8_t mask, Earlier& found) {
  Granule& g = granule_at(granule);
  if (is_list(g.entry[0])) {
    for (uint32_t i = list_head(g); i; i = R().cells[i].next) {
      const Cell& c = R().cells[i];
      if (is_unordered(c.entry, mask)) return found = earlier(granule, mask, c.entry, c.pc), true;
    }
    return false;
  }
  for (int i = 0; i < 2; ++i)
    if (is_unordered(g.entry[i], mask)) return found = earlier(granule, mask, g.entry[i], pcs_at(granule).pc[i]), true;
  return false;
}

}  // namespace

bool find_unordered(uint64_t low, uint64_t high, Earlier& found) {
  for (uint64_t g = low & ~7ULL; g < high; g += 8) {
    auto mask = (uint8_t)(0xff << (g < low ? low - g : 0));
    if (high - g < 8) mask &= (uint8_t)((1 << (high - g)) - 1);
    if (find_unordered_in(g, mask, found)) return true;
  }
  return false;
}

namespace {

void mark(uint64_t granule, uint8_t mask, uint32_t what) {
  Granule& g = granule_at(granule);
  g.entry[0] = special(what, mask);
  g.entry[1] = 0;
}

}  // namespace

// [low, high) is what the heap set aside for [block, block + size): all around the block is out of bounds.
void mark_allocated(uint64_t block, uint64_t size, uint64_t low, uint64_t high) {
  if (!running()) return;
  for (uint64_t g = low; g < block; g += 8) mark(g, 0xff, kRedzone);
  uint64_t end = block + size;
  if (end & 7) {
    uint8_t inside = (uint8_t)((1 << (end & 7)) - 1);
    mark(end & ~7ULL, (uint8_t)~inside, kRedzone);
  }
  for (uint64_t g = (end + 7) & ~7ULL; g < high; g += 8) mark(g, 0xff, kRedzone);
}

// Filling the shadow of a large block would cost as much as it costs to fill the block, of which most may never be touched: the
// write is remembered as a whole, and told where somebody comes to it.
void mark_filled(uint64_t block, uint64_t size, uint64_t pc) {
  constexpr uint64_t kLarge = 1 << 14;
  Runtime& r = R();
  uint64_t whole = size & ~7ULL;
  if (size < kLarge || r.large_written_count == kMaxLargeWritten) whole = 0;
  else r.large_written[r.large_written_count++] = {block, block + whole, r.epoch | (uint64_t)kWrite << 8 | 0xff, pack_pc(pc)};
  if (HEDDLE_UNLIKELY(r.detail) && whole) watch(block, whole, kWrite, pc);
  if (size > whole) slow_access(block + whole, size - whole, kWrite, pc);
}

namespace {

void forget_large_write(uint64_t block) {
  Runtime& r = R();
  for (uint32_t i = 0; i < r.large_written_count; ++i)
    if (r.large_written[i].low == block) r.large_written[i--] = r.large_written[--r.large_written_count];
}

}  // namespace

void mark_reused(uint64_t block, uint64_t size) {
  Runtime& r = R();
  for (uint32_t i = 0; i < r.large_freed_count; ++i)
    if (r.large_freed[i].low == block) r.large_freed[i--] = r.large_freed[--r.large_freed_count];
  for (uint64_t g = block; g < block + size; g += 8) granule_at(g) = {};
}

namespace {

void mark_freed_part(uint64_t low, uint64_t high, uint64_t block, uint64_t size, uint64_t pc, bool check) {
  if (check) each_granule({0, 0, kWrite, 1, block, (uint32_t)size, pc}, low, high - low);
  uint32_t by = pack_pc(pc);
  for (uint64_t g = low; g < high; g += 8) {
    mark(g, 0xff, kFreed);
    pcs_at(g).pc[0] = by;
  }
}

// A large block is mostly untouched, and so is its shadow: look only at the shadow's pages that exist, and remember the block
// for accesses to the others. (A page of the shadow that was swapped out counts as missing: a race with the free may be missed.)
void mark_freed_large(uint64_t block, uint64_t size, uint64_t pc, bool check) {
  constexpr uint64_t kPages = 1024, kCovers = layout::kPage / sizeof(Granule) * 8;  // bytes of memory in a page of shadow
  unsigned char present[kPages];
  uint64_t end = block + size;
  for (uint64_t at = block & ~(kCovers - 1); at < end; at += kPages * kCovers) {
    uint64_t pages = (end - at + kCovers - 1) / kCovers;
    if (pages > kPages) pages = kPages;
    if (sys(__NR_mincore, &granule_at(at), pages * layout::kPage, present) != 0) heddle_rt_memset(present, 1, pages);
    for (uint64_t i = 0; i < pages; ++i) {
      if (!(present[i] & 1)) continue;
      uint64_t low = at + i * kCovers, high = low + kCovers;
      mark_freed_part(low < block ? block : low, high > end ? end : high, block, size, pc, check);
    }
  }
}

}  // namespace

void mark_freed(uint64_t block, uint64_t size, uint64_t pc, bool check) {
  constexpr uint64_t kLarge = 1 << 20;
  Runtime& r = R();
  if (!running()) return;
  if (HEDDLE_UNLIKELY(r.detail)) watch(block, size, wire::kWatchedFree, pc);
  if (check && r.large_written_count) each_granule({0, 0, kWrite, 1, block, (uint32_t)size, pc}, block, size < 8 ? size : 8);
  forget_large_write(block);
  if (size < kLarge || r.large_freed_count == kMaxLargeFreed) return mark_freed_part(block, block + size, block, size, pc, check);
  mark_freed_large(block, size, pc, check);
  r.large_freed[r.large_freed_count++] = {block, block + size};
}

void race_begin_run() {
  Runtime& r = R();
  r.cell_count = 0;
  r.large_freed_count = 0;
  r.large_written_count = 0;
  r.patched_orderer = nullptr;
  if ((r.run & 0x3fffff) == 0) {  // run numbers start over: old entries would look new
    sys(__NR_madvise, layout::kShadow, layout::kShadowBytes, 4 /* MADV_DONTNEED */);
    ++r.run;
  }
}

}  // namespace heddle::rt
