// Atomic operations: what the hooks of ThreadSanitizer (hooks_atomic.cpp) and of libatomic (hooks_libatomic.cpp) share.
//
// Each is a scheduling point; the fiber itself makes the access when its turn comes, sequentially consistent. Memory orders
// decide what happens before what, and so whether plain accesses race. Release sequences are those of C++20: a release store and
// the read-modify-writes that follow it, whatever their order. (Up to C++17 later plain stores of the same thread belonged to them.)
#pragma once
#include "runtime/orders.h"
#include "runtime/pieces.h"
#include "runtime/race.h"
#include "runtime/runtime.h"
#include "runtime/told_value.h"

namespace heddle::rt::atomics {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using u128 = unsigned __int128;

inline bool acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }
inline bool releases(int order) { return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST; }

// Memory as the access itself does it. 16 bytes go through cmpxchg16b: libatomic must not be needed.
template <class T> T read(volatile T* a) { return __atomic_load_n(a, __ATOMIC_SEQ_CST); }
template <class T> void write(volatile T* a, T v) { __atomic_store_n(a, v, __ATOMIC_SEQ_CST); }
template <class T> bool swap_if(volatile T* a, T& expected, T desired) {
  return __atomic_compare_exchange_n(a, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
template <> inline bool swap_if<u128>(volatile u128* a, u128& expected, u128 desired) {
  auto low = (u64)expected, high = (u64)(expected >> 64);
  bool done;
  auto desired_low = (u64)desired;
  // rbx is the program's (CMakeLists.txt): lent for the one instruction that needs it.
  asm volatile("xchgq %%rbx, %[b]\n\tlock cmpxchg16b %[m]\n\txchgq %%rbx, %[b]"
               : "=@ccz"(done), [m] "+m"(*a), "+a"(low), "+d"(high), [b] "+r"(desired_low)
               : "c"((u64)(desired >> 64)) : "memory");
  if (!done) expected = (u128)high << 64 | low;
  return done;
}
template <> inline u128 read<u128>(volatile u128* a) {
  u128 v = 0;
  swap_if<u128>(a, v, 0);
  return v;
}
template <> inline void write<u128>(volatile u128* a, u128 v) {
  u128 old = read(a);
  while (!swap_if(a, old, v)) {}
}

// All that the hook still needs after its turn, apart from what the operation tells (Rest::Program).
struct Operands {
  uint64_t word[kOperands];
};
template <class... T> Operands operands(T... values) {
  Operands o{};
  uint64_t* at = o.word;
  [[maybe_unused]] auto put = [&at](u128 value, bool wide) {  // unused without values
    *at++ = (u64)value;
    if (wide) *at++ = (u64)(value >> 64);
  };
  (put((u128)values, sizeof(T) > 8), ...);
  return o;
}

// The location, when its turn has come.
inline Object& turn(Op op, uint64_t address, uint32_t size, bool write, bool weak, const Operands& operands, uint64_t pc) {
  PendingOp p{};
  p.op = op;
  R().used |= wire::kAccessed;
  p.address = address;
  p.size = size;
  p.write = write;
  p.timed = weak;
  p.object = find_object(address, Kind::Atomic);
  p.pc = pc;
  p.rest = Rest::Program;
  for (int i = 0; i < kOperands; ++i) p.operand[i] = operands.word[i];
  announce(p);
  if (HEDDLE_UNLIKELY(p.object->kind != Kind::Atomic)) return *find_object(address, Kind::Atomic);  // somebody made a lock of it
  if (captures()) touch_object(*p.object);
  return *p.object;
}

inline void after_load(Object& o, int order) {
  Thread& t = self();
  if (acquires(order)) {
    acquire(t, o.clock);
    return;
  }
  R().weak_orders = 1;
  if (!t.has_fence_acquire) clock_clear(t.fence_acquire);
  t.has_fence_acquire = 1;
  clock_join(t.fence_acquire, o.clock);
}

inline void before_store(Object& o, int order, bool read_modify_write) {
  Thread& t = self();
  if (!read_modify_write) clock_clear(o.clock);  // every release sequence ends here
  if (releases(order)) {
    release(t, o.clock);
    return;
  }
  R().weak_orders = 1;
  if (t.has_fence_release) clock_join(o.clock, t.fence_release);
}

// The locations of what lies behind the first word of a wide access: an atomic access to a part of it is ordered with it.
template <class F> void each_further_word(uint64_t address, uint32_t size, F f) {
  for (uint64_t at = address + 8; at < address + size; at += 8) f(*find_object(at, Kind::Atomic));
}

inline void set_outcome(bool exchanged) {
  if (running() && R().has_event) R().events[R().steps - 1].outcome = exchanged;
}

template <class T> void tell_value(T value) {
  if (running() && R().has_event && sizeof(T) <= wire::kToldValueBytes) rt::tell_value((uint64_t)value);
}

// What is in memory at `at`, where the size is one that events tell; else 0.
inline uint64_t value_to_tell(const void* at, uint64_t size) {
  return is_told(size) ? value_at(reinterpret_cast<uint64_t>(at), size) : 0;
}

template <class T> T load(volatile T* a, int order, uint64_t pc) {
  if (passive()) return read(a);
  auto address = reinterpret_cast<uint64_t>(a);
  Object& o = turn(Op::AtomicLoad, address, sizeof(T), false, false, operands(), pc);
  if (running()) atomic_access(address, sizeof(T), false, pc);
  after_load(o, order);
  each_further_word(address, sizeof(T), [order](Object& further) { after_load(further, order); });
  if (running()) watch_order(o, address, sizeof(T), wire::AtomicOp::Load, order, pc);
  note_read(address, sizeof(T));
  return read(a);
}

template <class T> void store(volatile T* a, T v, int order, uint64_t pc) {
  if (passive()) return write(a, v);
  auto address = reinterpret_cast<uint64_t>(a);
  Object& o = turn(Op::AtomicStore, address, sizeof(T), true, false, operands(v), pc);
  if (running()) {
    atomic_access(address, sizeof(T), true, pc);
    watch_order(o, address, sizeof(T), wire::AtomicOp::Store, order, pc);
  }
  before_store(o, order, false);
  each_further_word(address, sizeof(T), [order](Object& further) { before_store(further, order, false); });
  tell_value(read(a));
  if (read(a) != v) note_change(address, sizeof(T));
  lend(address, sizeof(T));
  write(a, v);
}

template <class T, class F> T modify(volatile T* a, T v, F f, int order, uint64_t pc) {
  auto apply = [&] {
    T old = read(a);
    while (!swap_if<T>(a, old, f(old, v))) {}
    return old;
  };
  if (passive()) return apply();
  auto address = reinterpret_cast<uint64_t>(a);
  Object& o = turn(Op::AtomicRmw, address, sizeof(T), true, false, operands(v), pc);
  if (running()) atomic_access(address, sizeof(T), true, pc);
  after_load(o, order);
  if (running()) watch_order(o, address, sizeof(T), wire::AtomicOp::Modify, order, pc);
  before_store(o, order, true);
  each_further_word(address, sizeof(T), [order](Object& further) {
    after_load(further, order);
    before_store(further, order, true);
  });
  lend(address, sizeof(T));
  T old = apply();
  tell_value(old);
  if (read(a) == old) note_read(address, sizeof(T));
  else note_change(address, sizeof(T));
  return old;
}

// gcc leaves it to the hook to read and write what is expected: a plain access of the program's. On the thread's own stack it is a local variable as
// a rule: it is looked at for races all the same, but is no scheduling point.
inline void expected_access(uint64_t address, uint32_t size, bool write, uint64_t pc) {
  if (!running()) return;
  if (address - R().stack_low >= layout::kStackBytes) return access(address, size, write, pc);
  if (!ignores(write)) slow_access(address, size, write ? kWrite : kRead, pc);
}

template <class T> bool cas(volatile T* a, T* expected, T desired, int order, int failure, bool weak, uint64_t pc) {
  if (passive()) {
    T e = *expected;
    bool done = swap_if(a, e, desired);
    if (!done) *expected = e;
    return done;
  }
  auto address = reinterpret_cast<uint64_t>(a);
  settle_if_owed();
  expected_access(reinterpret_cast<uint64_t>(expected), sizeof(T), false, pc);
  const T wanted = *expected;  // from here on the outcome follows from memory alone: a sleep set may rely on it (scheduler.cpp)
  Object& o = turn(Op::AtomicCas, address, sizeof(T), true, weak,
                   operands(reinterpret_cast<uint64_t>(expected), wanted, desired), pc);
  T now = read(a);
  bool exchanged = now == wanted && self().alternative == 0;
  tell_value(wanted);
  if (running()) atomic_access(address, sizeof(T), exchanged, pc);
  set_outcome(exchanged);
  if (!exchanged) {
    after_load(o, failure);
    each_further_word(address, sizeof(T), [failure](Object& further) { after_load(further, failure); });
    if (running()) watch_order(o, address, sizeof(T), wire::AtomicOp::Load, failure, pc);
    note_read(address, sizeof(T));
    expected_access(reinterpret_cast<uint64_t>(expected), sizeof(T), true, pc);
    *expected = now;
    return false;
  }
  after_load(o, order);
  if (running()) watch_order(o, address, sizeof(T), wire::AtomicOp::Modify, order, pc);
  before_store(o, order, true);
  each_further_word(address, sizeof(T), [order](Object& further) {
    after_load(further, order);
    before_store(further, order, true);
  });
  note_change(address, sizeof(T));
  lend(address, sizeof(T));
  write(a, desired);
  return true;
}

}  // namespace heddle::rt::atomics
