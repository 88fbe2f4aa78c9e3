// What trampolines tell of the accesses that they announce (patch_entry.S calls): the same as the hooks of ThreadSanitizer do.
//
// Everything in the registers of the program may be needed afterwards, so that all frames count as the thread's state (Rest::Hook).
#include <cpuid.h>

#include "runtime/atomics.h"
#include "runtime/hooks.h"
#include "runtime/patch.h"
#include "runtime/race.h"
#include "runtime/uncovered.h"

namespace heddle::rt {

// Registers as patch_entry.S leaves them on the stack, from its top.
struct PatchedFrame {
  uint64_t address;
  const wire::PatchSite* site;
  uint64_t flags;  // in the form of lahf and seto
  uint64_t r11, r10, r9, r8, rdx, rcx, rax;
  uint64_t back;  // into the trampoline
  uint64_t rsi, rdi;
};

namespace {

using wire::PatchKind;
using wire::PatchString;

uint64_t pc_of(const PatchedFrame& f) { return f.site->return_pc - 1; }

void tell(const PatchedFrame& f, uint64_t address, uint64_t size) {
  if (f.site->flags & wire::kPatchRead) access(address, size, false, pc_of(f));
  if (f.site->flags & wire::kPatchWrite) access(address, size, true, pc_of(f));
}

// ---- string instructions

struct Range {
  uint64_t address, size;
};

constexpr uint64_t kDirection = 1 << 10;  // in the flags: towards lower addresses

Range range_of(uint64_t at, uint64_t count, uint64_t element, bool down) {
  uint64_t size = count * element;
  return down ? Range{at + element - size, size} : Range{at, size};
}

bool equal_elements(uint64_t a, const void* b, uint64_t size) { return heddle_rt_memcmp(reinterpret_cast<const void*>(a), b, size) == 0; }

// How many elements a repeated comparison looks at.
uint64_t compared(const PatchedFrame& f, uint64_t most, bool down) {
  const wire::PatchSite& s = *f.site;
  const int64_t step = down ? -(int64_t)s.size : (int64_t)s.size;
  const bool goes_on_while_equal = s.flags & wire::kPatchWhileEqual;
  for (uint64_t i = 0; i < most; ++i) {
    uint64_t offset = (uint64_t)((int64_t)i * step);
    const void* other = s.string == PatchString::Cmps ? reinterpret_cast<const void*>(f.rsi + offset) : &f.rax;
    if (equal_elements(f.rdi + offset, other, s.size) != goes_on_while_equal) return i + 1;
  }
  return most;
}

void tell_string(const PatchedFrame& f, uint64_t processor_flags) {
  const wire::PatchSite& s = *f.site;
  const bool down = processor_flags & kDirection;
  uint64_t count = s.flags & wire::kPatchRepeat ? f.rcx : 1;
  const bool compares = s.string == PatchString::Cmps || s.string == PatchString::Scas;
  if (compares && count > 1) count = compared(f, count, down);
  if (!count) return;
  const Range source = range_of(f.rsi, count, s.size, down), to = range_of(f.rdi, count, s.size, down);
  const bool reads_source = s.string == PatchString::Movs || s.string == PatchString::Lods || s.string == PatchString::Cmps;
  if (reads_source) access(source.address, source.size, false, pc_of(f));
  if (compares) access(to.address, to.size, false, pc_of(f));
  if (s.string == PatchString::Movs || s.string == PatchString::Stos) access(to.address, to.size, true, pc_of(f));
}

// ---- elements under a mask

// Where the parts of the vector registers lie in what xsave has written.
struct VectorState {
  const unsigned char* area;

  static uint32_t offset_of_component(unsigned component) {
    unsigned a, b = 0, c, d;
    __get_cpuid_count(0xd, component, &a, &b, &c, &d);
    return b;
  }
  bool has(unsigned component) const { return *reinterpret_cast<const uint64_t*>(area + 512) >> component & 1; }
  void part(unsigned component, uint32_t offset, uint32_t size, unsigned char* to) const {
    if (has(component)) heddle_rt_memcpy(to, area + offset_of_component(component) + offset, size);
    else heddle_rt_memset(to, 0, size);
  }
  void vector(unsigned number, unsigned char (&to)[64]) const {
    if (number >= 16) return part(7, (number - 16) * 64, 64, to);
    if (has(1)) heddle_rt_memcpy(to, area + 160 + 16 * number, 16);
    else heddle_rt_memset(to, 0, 16);
    part(2, number * 16, 16, to + 16);
    part(6, number * 32, 32, to + 32);
  }
  uint64_t opmask(unsigned number) const {
    uint64_t bits;
    part(5, number * 8, 8, reinterpret_cast<unsigned char*>(&bits));
    return bits;
  }
};

uint64_t mask_of(const wire::PatchSite& s, const VectorState& v) {
  if (s.mask_kind == wire::PatchMask::Opmask) return v.opmask(s.mask);
  unsigned char bytes[64];
  v.vector(s.mask, bytes);
  uint64_t bits = 0;
  for (unsigned i = 0; i < s.elements; ++i) bits |= (uint64_t)(bytes[(i + 1) * s.size - 1] >> 7) << i;
  return bits;
}

// Neighbours are told together, as one access.
void tell_masked(const PatchedFrame& f, const VectorState& v) {
  const wire::PatchSite& s = *f.site;
  uint64_t mask = mask_of(s, v);
  for (unsigned i = 0; i < s.elements;) {
    unsigned first = i;
    while (i < s.elements && mask >> i & 1) ++i;
    if (i > first) tell(f, f.address + first * s.size, (i - first) * s.size);
    else ++i;
  }
}

void tell_gather(const PatchedFrame& f, const VectorState& v) {
  const wire::PatchSite& s = *f.site;
  uint64_t mask = mask_of(s, v);
  unsigned char index[64];
  v.vector(s.index, index);
  for (unsigned i = 0; i < s.elements; ++i) {
    if (!(mask >> i & 1)) continue;
    int64_t at;
    if (s.index_size == 4) at = reinterpret_cast<const int32_t*>(index)[i];
    else at = reinterpret_cast<const int64_t*>(index)[i];
    tell(f, f.address + (uint64_t)(at * s.scale), s.size);
  }
}

// ---- atomic instructions
//
// The trampoline executes the instruction itself when its turn has come: nobody else runs between the announcement and
// PatchKind::After, which sees what it has done.

// A plain mov to where a locked instruction has been is the other half of a lock that is written in assembly: what unlocks it, or looks at
// it. To the processor it is an atomic access that releases or acquires.

bool is_machine_atomic(uint64_t address, uint64_t size) {
  const Runtime& r = R();
  if (HEDDLE_LIKELY(r.machine_run != r.run) || size > 8 || address % size) return false;
  for (uint32_t i = 0; i < r.machine_atomic_count; ++i)
    if (r.machine_atomics[i] == address) return true;
  return false;
}

void remember_machine_atomic(uint64_t address, uint64_t size) {
  Runtime& r = R();
  if (r.machine_run != r.run) r.machine_atomic_count = 0;
  r.machine_run = r.run;
  constexpr uint32_t kMost = sizeof r.machine_atomics / sizeof *r.machine_atomics;
  if (r.machine_atomic_count < kMost && !is_machine_atomic(address, size)) r.machine_atomics[r.machine_atomic_count++] = address;
}

// What a compare-exchange of this size expects.
uint64_t expected_by(const PatchedFrame& f) {
  const bool is_pair = f.site->elements == 2;  // cmpxchg8b, cmpxchg16b
  if (is_pair) return f.site->size == 8 ? f.rdx << 32 | (uint32_t)f.rax : 0;
  return atomics::value_to_tell(&f.rax, f.site->size);
}

Object& turn(const PatchedFrame& f, Op op, bool write) {
  PendingOp p{};
  p.op = op;
  p.address = f.address;
  p.size = f.site->size;
  p.write = write;
  p.object = find_object(f.address, Kind::Atomic);
  p.pc = pc_of(f);
  p.rest = Rest::Hook;
  if (op == Op::AtomicCas) p.operand[kExpectedOperand] = expected_by(f);
  if (captures()) clear_stack_below();
  announce(p);
  Object& o = p.object->kind == Kind::Atomic ? *p.object : *find_object(f.address, Kind::Atomic);
  if (captures()) touch_object(o);
  const auto* memory = reinterpret_cast<const void*>(f.address);
  if (write) atomics::tell_value(op == Op::AtomicCas ? expected_by(f) : atomics::value_to_tell(memory, f.site->size));
  return o;
}

void tell_machine_access(const PatchedFrame& f) {
  const bool writes = f.site->flags & wire::kPatchWrite;
  const uint32_t size = f.site->size;
  Object& o = turn(f, writes ? Op::AtomicStore : Op::AtomicLoad, writes);
  atomic_access(f.address, size, writes, pc_of(f));
  if (f.site->flags & wire::kPatchRead) atomics::after_load(o, __ATOMIC_SEQ_CST);
  if (!writes) return note_read(f.address, size);
  atomics::before_store(o, __ATOMIC_SEQ_CST, false);
  note_change(f.address, size);  // for all that is known now
  lend(f.address, size);
}

void remember(uint64_t address, uint32_t size) {
  Runtime& r = R();
  r.patched_atomic.address = address;
  r.patched_atomic.size = size;
  heddle_rt_memcpy(r.patched_atomic.old, reinterpret_cast<const void*>(address), size);
}

bool will_exchange(const PatchedFrame& f) {
  const uint32_t size = f.site->size;
  auto* memory = reinterpret_cast<const unsigned char*>(f.address);
  if (f.site->elements == 2) return heddle_rt_memcmp(memory, &f.rax, size / 2) == 0 && heddle_rt_memcmp(memory + size / 2, &f.rdx, size / 2) == 0;
  return heddle_rt_memcmp(memory, &f.rax, size) == 0;
}

void tell_atomic(const PatchedFrame& f) {
  const wire::PatchSite& s = *f.site;
  const bool is_cas = s.kind == PatchKind::Cas;
  Object& o = turn(f, is_cas ? Op::AtomicCas : Op::AtomicRmw, true);
  remember_machine_atomic(f.address, s.size);
  const bool writes = !is_cas || will_exchange(f);
  atomic_access(f.address, s.size, writes, pc_of(f));
  if (is_cas) atomics::set_outcome(writes);
  atomics::after_load(o, __ATOMIC_SEQ_CST);
  if (writes) {
    atomics::before_store(o, __ATOMIC_SEQ_CST, true);
    lend(f.address, s.size);
  }
  remember(f.address, s.size);
}

void after_atomic() {
  const auto& done = R().patched_atomic;
  if (heddle_rt_memcmp(reinterpret_cast<const void*>(done.address), done.old, done.size) == 0) note_read(done.address, done.size);
  else note_change(done.address, done.size);
}

// The last number is that of several places.
void note(const wire::PatchSite& s) {
  if (s.note >= wire::kMaxPatchNotes || R().patch_noted[s.note]) return;
  R().patch_noted[s.note] = s.note + 1 < wire::kMaxPatchNotes;
  note_uncovered(wire::UncoveredKind::Access, s.return_pc - 1, nullptr, reinterpret_cast<const char*>(s.reason));
}

void tell_patched(const PatchedFrame& f, uint64_t processor_flags, const unsigned char* xsave_area) {
  switch (f.site->kind) {
    case PatchKind::Plain:
      if (HEDDLE_UNLIKELY(is_machine_atomic(f.address, f.site->size))) return tell_machine_access(f);
      return tell(f, f.address, f.site->size);
    case PatchKind::String: return tell_string(f, processor_flags);
    case PatchKind::Rmw:
    case PatchKind::Cas: return tell_atomic(f);
    case PatchKind::After: return after_atomic();
    case PatchKind::Masked: return tell_masked(f, {xsave_area});
    case PatchKind::Gather: return tell_gather(f, {xsave_area});
    case PatchKind::Note: return note(*f.site);
  }
}

}  // namespace
}  // namespace heddle::rt

// Without `xsave_area` only where PatchKind needs none, and no other thread can go on.
extern "C" void heddle_patched_tell(const heddle::rt::PatchedFrame* frame, uint64_t processor_flags, const unsigned char* xsave_area) {
  heddle::rt::tell_patched(*frame, processor_flags, xsave_area);
}
