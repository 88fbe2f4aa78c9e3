// Putting memory back: at the stop at main all writable memory is made read-only; the first write to a page, in whatever run,
// saves the page and makes it writable for good ("hot"; but see mirror.cpp). After each run the hot pages get their original contents again.
#include <fcntl.h>
#include <sys/mman.h>

#include "runtime/runtime.h"

namespace heddle::rt {
namespace {

using layout::kPage;
struct Range {
  uint64_t low, high;
};

bool ours(uint64_t a) {
  return (a >= layout::kState && a < layout::kHeap) || (a >= layout::kShadow && a < layout::kPcShadow + layout::kPcShadowBytes);
}

uint64_t parse_hex(const char*& p) {
  uint64_t n = 0;
  for (;; ++p) {
    if (*p >= '0' && *p <= '9') n = n << 4 | (uint64_t)(*p - '0');
    else if (*p >= 'a' && *p <= 'f') n = n << 4 | (uint64_t)(*p - 'a' + 10);
    else return n;
  }
}

// Calls visit(low, high) for every private writable mapping of the program.
template <class Visit>
void each_writable_mapping(char* buffer, size_t capacity, Visit visit) {
  int fd = (int)sys(__NR_open, "/proc/self/maps", O_RDONLY);
  if (fd < 0) fatal("cannot read the process's own memory map");
  size_t n = 0;
  for (long got; n < capacity - 1 && (got = sys(__NR_read, fd, buffer + n, capacity - 1 - n)) > 0;) n += (size_t)got;
  sys(__NR_close, fd);
  buffer[n] = 0;
  for (const char* p = buffer; *p;) {
    uint64_t low = parse_hex(p);
    ++p;
    uint64_t high = parse_hex(p);
    ++p;
    bool writable = p[1] == 'w', is_private = p[3] == 'p';
    const char* line_end = p;
    while (*line_end && *line_end != '\n') ++line_end;
    bool kernel = line_end > p + 6 && line_end[-1] == ']' && line_end[-2] != 'k' && line_end[-2] != 'p';  // [vvar], not [stack], [heap]
    if (writable && is_private && !kernel && !ours(low)) visit(low, high);
    p = *line_end ? line_end + 1 : line_end;
  }
}

bool is_zero(uint64_t page) {
  auto* w = reinterpret_cast<const uint64_t*>(page);
  for (uint64_t i = 0; i < kPage / 8; ++i)
    if (w[i]) return false;
  return true;
}

// Where a page stands in the list of hot pages: those that are guarded again (mirror.cpp) are written to for a second first time.
uint32_t& table_slot(uint64_t page) {
  Runtime& r = R();
  uint32_t* table = r.hot_table + r.hot_slots;
  uint64_t mask = r.hot_slots - 1, i = (page / kPage * 0x9e3779b97f4a7c15ULL) >> 32 & mask;
  while (table[i] && r.hot[table[i] - 1].address != page) i = (i + 1) & mask;
  return table[i];
}
void enter(uint64_t page, uint32_t number) {
  Runtime& r = R();
  if (2 * number >= r.hot_slots) {  // at most half of them are taken
    r.hot_slots *= 2;
    for (uint32_t i = 0; i < number; ++i) table_slot(r.hot[i].address) = i + 1;
  }
  table_slot(page) = number + 1;
}
HotPage* hot_page(uint64_t page) {
  uint32_t number = table_slot(page);
  return number ? &R().hot[number - 1] : nullptr;
}

bool make_writable(uint64_t page) { return sys(__NR_mprotect, page, kPage, PROT_READ | PROT_WRITE) == 0; }

bool make_hot(uint64_t page) {
  Runtime& r = R();
  if (r.hot_count >= kMaxHotPages || r.store_used + kPage > layout::kStoreBytes) return false;
  HotPage& h = r.hot[r.hot_count];
  h.address = page;
  if (is_zero(page)) {
    h.store = kZeroPage;
  } else {
    h.store = r.store_used;
    heddle_rt_memcpy(reinterpret_cast<void*>(layout::kStore + r.store_used), reinterpret_cast<void*>(page), kPage);
    r.store_used += kPage;
  }
  enter(page, r.hot_count);
  if (captures()) mirror_page(h);
  ++r.hot_count;
  return make_writable(page);
}

// Guarded pages that have to be written, neighbours with one call.
void unguard_changed() {
  Runtime& r = R();
  uint64_t low = 0, high = 0;
  auto open = [&] {
    if (low < high) sys(__NR_mprotect, low, high - low, PROT_READ | PROT_WRITE);
  };
  for (uint32_t i = 0; i < r.hot_count; ++i) {
    HotPage& page = r.hot[i];
    if (!page.guarded || !page.changed) continue;
    mirror_unguard(page, false);
    if (page.address != high) {
      open();
      low = page.address;
    }
    high = page.address + kPage;
  }
  open();
}

bool fault_in(uint64_t page) {
  HotPage* known = hot_page(page);
  if (!known) return make_hot(page);
  if (!known->guarded) return false;  // writable already: this is something else
  mirror_unguard(*known, true);
  return make_writable(page);
}

}  // namespace

// On the scheduler's stack: from here on the program's memory is read-only for us too, apart from hot pages.
void rollback_arm() {
  Runtime& r = R();
  r.hot_count = 0;
  r.hot_slots = 1024;
  r.store_used = 0;
  r.protected_count = 0;
  auto* buffer = reinterpret_cast<char*>(r.stack_records);  // not in use now
  each_writable_mapping(buffer, kMaxStackBytes, [&](uint64_t low, uint64_t high) {
    if (r.protected_count >= 512) fatal("the program has too many memory mappings for the rollback executor");
    r.protected_ranges[r.protected_count][0] = low;
    r.protected_ranges[r.protected_count++][1] = high;
  });
  for (uint32_t i = 0; i < r.protected_count; ++i)
    sys(__NR_mprotect, r.protected_ranges[i][0], r.protected_ranges[i][1] - r.protected_ranges[i][0], PROT_READ);
}

void rollback_restore() {
  Runtime& r = R();
  if (captures()) unguard_changed();
  for (uint32_t i = 0; i < r.hot_count; ++i) {
    if (r.hot[i].guarded) continue;  // as it was
    if (r.hot[i].changed) r.hot[i].still = 0;
    auto* page = reinterpret_cast<void*>(r.hot[i].address);
    if (r.hot[i].store == kZeroPage) heddle_rt_memset(page, 0, kPage);
    else heddle_rt_memcpy(page, reinterpret_cast<void*>(layout::kStore + r.hot[i].store), kPage);
    if (r.hot[i].changed) mirror_forget(r.hot[i]);
  }
}

void rollback_mirror_all() {
  Runtime& r = R();
  r.busy_count = 0;
  for (uint32_t i = 0; i < r.hot_count; ++i) mirror_page(r.hot[i]);
}

void rollback_unguard_all() {
  Runtime& r = R();
  for (uint32_t i = 0; i < r.hot_count; ++i) {
    HotPage& page = r.hot[i];
    if (page.guarded) make_writable(page.address);
    page.guarded = page.changed = 0;
  }
  r.busy_count = 0;
}

bool rollback_fault(uint64_t address) {
  Runtime& r = R();
  for (uint32_t i = 0; i < r.protected_count; ++i)
    if (address >= r.protected_ranges[i][0] && address < r.protected_ranges[i][1]) return fault_in(address & ~(kPage - 1));
  return false;
}

}  // namespace heddle::rt
