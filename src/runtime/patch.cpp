#include "runtime/patch.h"

#include <cpuid.h>
#include <linux/futex.h>
#include <sys/mman.h>

namespace heddle::rt {
namespace {

constexpr uint64_t kRoomBytes = 64ULL << 20;
constexpr uint64_t kNear = 1ULL << 30;

// What was applied, in memory that nobody writes any more.
struct Applied {
  const wire::PatchWrite* writes;
  const wire::PatchMoved* moved;
  uint32_t write_count, moved_count;
  uint64_t low, high;  // of all rooms
};

Applied& applied() { return *reinterpret_cast<Applied*>(R().patches); }
static_assert(sizeof(Applied) <= sizeof(Runtime::patches));

// ---- room near a module

uint64_t reserve(uint64_t at) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  long got = sys(__NR_mmap, at, kRoomBytes, PROT_NONE, kFlags, -1, 0);
  if (got == (long)at) return at;
  if (got > 0) sys(__NR_munmap, got, kRoomBytes);  // a kernel that takes the address for a hint
  return 0;
}

// Below the module, where nothing grows towards; above it for a program that is linked at a low address.
wire::PatchRoom room_near(const wire::Module& m) {
  if (m.end - m.begin > kNear) return {};
  for (uint64_t distance = 2 * kRoomBytes; distance + kRoomBytes < kNear; distance += kRoomBytes) {
    uint64_t below = (m.begin & ~(kRoomBytes - 1)) - distance, above = ((m.end + kRoomBytes - 1) & ~(kRoomBytes - 1)) + 2 * distance;
    if (m.begin > distance + kRoomBytes)
      if (uint64_t at = reserve(below)) return {at, at + kRoomBytes};
    if (above - m.begin < 2 * kNear - 2 * kRoomBytes)
      if (uint64_t at = reserve(above)) return {at, at + kRoomBytes};
  }
  return {};
}

bool has_xsave() {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE);
}

// ---- the image

// Reads one thing after the other; nothing beyond the end.
class Reader {
 public:
  Reader(const unsigned char* at, uint64_t bytes) : at_(at), end_(at + bytes) {}
  template <class T> const T* take(uint64_t count) {
    if (count > (uint64_t)(end_ - at_) / sizeof(T)) return nullptr;
    auto* result = reinterpret_cast<const T*>(at_);
    uint64_t bytes = wire::round_up_8(count * sizeof(T));
    at_ += bytes < (uint64_t)(end_ - at_) ? bytes : (uint64_t)(end_ - at_);
    return result;
  }

 private:
  const unsigned char* at_;
  const unsigned char* end_;
};

unsigned char* copy_image(const unsigned char* from, uint64_t bytes) {
  long got = sys(__NR_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got < 0 && got > -4096) return nullptr;
  auto* to = reinterpret_cast<unsigned char*>(got);
  heddle_rt_memcpy(to, from, bytes);
  sys(__NR_mprotect, to, bytes, PROT_READ);
  return to;
}

bool put_code(const wire::PatchCode& code, const unsigned char* bytes) {
  const wire::Segment& s = *R().segment;
  bool in_room = false;
  for (uint32_t i = 0; i < s.module_count; ++i)
    in_room |= code.address == s.patch_rooms[i].begin && code.bytes <= s.patch_rooms[i].end - s.patch_rooms[i].begin;
  if (!in_room) return false;
  uint64_t size = (code.bytes + layout::kPage - 1) & ~(layout::kPage - 1);
  if (sys(__NR_mprotect, code.address, size, PROT_READ | PROT_WRITE) != 0) return false;
  heddle_rt_memcpy(reinterpret_cast<void*>(code.address), bytes, code.bytes);
  if (sys(__NR_mprotect, code.address, size, PROT_READ | PROT_EXEC) != 0) return false;
  Applied& a = applied();
  if (!a.low || code.address < a.low) a.low = code.address;
  if (code.address + size > a.high) a.high = code.address + size;
  return true;
}

void free_rooms() {
  const wire::Segment& s = *R().segment;
  for (uint32_t i = 0; i < s.module_count; ++i)
    if (s.patch_rooms[i].begin) sys(__NR_munmap, s.patch_rooms[i].begin, s.patch_rooms[i].end - s.patch_rooms[i].begin);
}

// The pages of the code that are changed, one run of neighbours at a time.
template <class Visit> bool each_page_run(const wire::PatchWrite* writes, uint32_t count, Visit visit) {
  for (uint32_t i = 0; i < count;) {
    uint64_t low = writes[i].address & ~(layout::kPage - 1), high = low;
    uint32_t first = i;
    for (; i < count && (writes[i].address & ~(layout::kPage - 1)) <= high; ++i)
      high = (writes[i].address + writes[i].length + layout::kPage - 1) & ~(layout::kPage - 1);
    if (!visit(low, high, first, i)) return false;
  }
  return true;
}

bool is_original(const wire::PatchWrite& w) {
  return module_of(w.address) && w.length && w.length <= sizeof w.bytes && heddle_rt_memcmp(reinterpret_cast<void*>(w.address), w.original, w.length) == 0;
}

bool write_all(const wire::PatchWrite* writes, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (!is_original(writes[i])) return false;
  return each_page_run(writes, count, [writes](uint64_t low, uint64_t high, uint32_t from, uint32_t to) {
    if (sys(__NR_mprotect, low, high - low, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;  // we may stand on them ourselves
    for (uint32_t i = from; i < to; ++i) heddle_rt_memcpy(reinterpret_cast<void*>(writes[i].address), writes[i].bytes, writes[i].length);
    return sys(__NR_mprotect, low, high - low, PROT_READ | PROT_EXEC) == 0;
  });
}

// Null if all went well, or what did not.
const char* apply(const unsigned char* image, uint64_t bytes) {
  Reader reader(image, bytes);
  auto* header = reader.take<wire::PatchImage>(1);
  if (!header) return "the patches of its code are damaged";
  for (uint32_t i = 0; i < header->codes; ++i) {
    auto* code = reader.take<wire::PatchCode>(1);
    auto* text = code ? reader.take<unsigned char>(code->bytes) : nullptr;
    if (!text || !put_code(*code, text)) return "the code that announces its accesses cannot be put into memory";
  }
  Applied& a = applied();
  a.writes = reader.take<wire::PatchWrite>(header->writes);
  a.moved = reader.take<wire::PatchMoved>(header->moved);
  if (!a.writes || !a.moved) return "the patches of its code are damaged";
  a.write_count = header->writes;
  a.moved_count = header->moved;
  if (!write_all(a.writes, a.write_count)) return "its code cannot be patched: it is not that of the file, or cannot be made writable";
  return nullptr;
}

void await_patches(wire::Segment& s) {
  while (__atomic_load_n(&s.patch_state, __ATOMIC_ACQUIRE) != 2) sys(__NR_futex, &s.patch_state, FUTEX_WAIT, 1, nullptr);
}

// ---- looking up

// The last one at or before `address`.
template <class T, class Key> const T* at_or_before(const T* from, uint32_t count, uint64_t address, Key key) {
  uint32_t low = 0, high = count;  // the answer is before `high`, if there is one
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (key(from[middle]) <= address) low = middle + 1;
    else high = middle;
  }
  return low ? &from[low - 1] : nullptr;
}

const wire::PatchWrite* write_before(uint64_t address) {
  return at_or_before(applied().writes, applied().write_count, address, [](const wire::PatchWrite& w) { return w.address; });
}

}  // namespace

void patch_ask() {
  wire::Segment& s = *R().segment;
  if (!s.options.patch || !has_xsave()) return;
  for (uint32_t i = 0; i < s.module_count; ++i) s.patch_rooms[i] = s.modules[i].instrumented ? room_near(s.modules[i]) : wire::PatchRoom{};
  s.patch_entry = reinterpret_cast<uint64_t>(&heddle_patched);
  __atomic_store_n(&s.patch_state, 1, __ATOMIC_RELEASE);
  __atomic_store_n(&s.target_ready, wire::kWantsPatches, __ATOMIC_RELEASE);
  sys(__NR_futex, &s.target_ready, FUTEX_WAKE, 1);
}

void patch_apply() {
  wire::Segment& s = *R().segment;
  if (!s.patch_state) return;
  await_patches(s);
  uint64_t bytes = s.patch_bytes;
  if (!bytes) return free_rooms();
  if (bytes > s.traces.bytes) fatal("the patches of its code are damaged");
  const unsigned char* image = copy_image(reinterpret_cast<unsigned char*>(&s) + s.traces.offset, bytes);
  const char* wrong = image ? apply(image, bytes) : "there is no memory for the patches of its code";
  if (wrong) fatal(wrong);
}

uint64_t original_pc(uint64_t pc) {
  const Applied& a = applied();
  if (HEDDLE_LIKELY(pc < a.low || pc >= a.high)) return pc;
  auto* m = at_or_before(a.moved, a.moved_count, pc, [](const wire::PatchMoved& x) { return x.at; });
  return m && m->original ? m->original : pc;
}

void original_code(uint64_t at, uint8_t* to, uint32_t count) {
  heddle_rt_memcpy(to, reinterpret_cast<const void*>(at), count);
  const Applied& a = applied();
  if (!a.write_count) return;
  const wire::PatchWrite* end = a.writes + a.write_count;
  const wire::PatchWrite* w = write_before(at);
  for (w = w ? w : a.writes; w < end && w->address < at + count; ++w)
    for (uint32_t i = 0; i < w->length; ++i)
      if (w->address + i >= at && w->address + i < at + count) to[w->address + i - at] = w->original[i];
}

uint64_t patch_target(uint64_t pc) {
  const wire::PatchWrite* w = write_before(pc);
  return w && w->address == pc && w->bytes[0] == wire::kTrapByte ? w->target : 0;
}

// Asked when a race is reported: it goes through all of them.
Patched patched(uint64_t pc) {
  const Applied& a = applied();
  for (uint32_t i = 0; pc && i < a.moved_count; ++i)
    if (a.moved[i].is_site && a.moved[i].original == pc) return a.moved[i].unseen ? Patched::Unseen : Patched::Yes;
  return Patched::No;
}

}  // namespace heddle::rt
