// libatomic's functions, as operations.
//
// The compiler calls them where it has no instruction for an atomic operation: structs of 24 bytes,
// with clang also 16 bytes and long double, and whatever is not aligned. Because the runtime offers
// them, a program needs no -latomic.
//
// An operation on a range of bytes is one step, as libatomic's locks make it. Each of the range's
// words is a location of its own for what happens before what, so that an atomic access to a part
// of it (the pointer of a tagged pointer) is ordered with it.
//
// The operands that are told by their address (expected, desired, result) are plain accesses of the
// caller. What is read from them is copied before the turn, what is loaded is written to them after
// it. Meanwhile the hook's frames hold these values, and count as part of the thread's state
// (Rest::Hook).
#include "runtime/atomics.h"
#include "runtime/hooks.h"

namespace wire = heddle::wire;
using namespace heddle::rt;
using namespace heddle::rt::atomics;

namespace {

// ---- without heddle: instructions where there are some, as in libatomic, since inlined code uses
// them, too; and locks of our own

constexpr int kLocks = 64;
uint8_t
    g_locks[kLocks];  // in the program's data, which is why nothing but passive mode may use them

class PassiveLock {
 public:
  explicit PassiveLock(const volatile void* at)
      : lock_(g_locks[reinterpret_cast<uint64_t>(at) / 64 % kLocks]) {
    while (__atomic_exchange_n(&lock_, 1, __ATOMIC_ACQUIRE)) sys(__NR_sched_yield);
  }
  ~PassiveLock() { __atomic_store_n(&lock_, 0, __ATOMIC_RELEASE); }
  PassiveLock(const PassiveLock&) = delete;
  PassiveLock& operator=(const PassiveLock&) = delete;

 private:
  uint8_t& lock_;
};

bool equal(const void* a, const void* b, size_t n) { return heddle_rt_memcmp(a, b, n) == 0; }

bool has_instruction(size_t size, uint64_t address) {
  bool is_word = size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
  return is_word && address % size == 0;
}

// Exchanges `expected` for `desired` and returns true, or leaves in `now` what is there instead.
template <class T>
bool passive_swap_word(uint64_t address, const void* expected, const void* desired, void* now) {
  T was, next;
  heddle_rt_memcpy(&was, expected, sizeof was);
  heddle_rt_memcpy(&next, desired, sizeof next);
  bool done = swap_if<T>(reinterpret_cast<volatile T*>(address), was, next);
  if (!done) heddle_rt_memcpy(now, &was, sizeof was);
  return done;
}

bool passive_swap(uint64_t address, size_t size, const void* expected, const void* desired,
                  void* now) {
  if (has_instruction(size, address)) {
    switch (size) {
      case 1:
        return passive_swap_word<u8>(address, expected, desired, now);
      case 2:
        return passive_swap_word<u16>(address, expected, desired, now);
      case 4:
        return passive_swap_word<u32>(address, expected, desired, now);
      case 8:
        return passive_swap_word<u64>(address, expected, desired, now);
      default:
        return passive_swap_word<u128>(address, expected, desired, now);
    }
  }
  auto* at = reinterpret_cast<void*>(address);
  PassiveLock lock(at);
  heddle_rt_memcpy(now, at, size);
  if (!equal(now, expected, size)) return false;
  heddle_rt_memcpy(at, desired, size);
  return true;
}

// What was there comes into `old`.
void passive_exchange(uint64_t address, size_t size, const void* value, void* old) {
  heddle_rt_memset(old, 0, size);
  void* guess = __builtin_alloca(size);
  do heddle_rt_memcpy(guess, old, size);
  while (!passive_swap(address, size, guess, value, old));
  heddle_rt_memcpy(old, guess, size);
}

void passive_load(uint64_t address, size_t size, void* result) {
  heddle_rt_memset(result, 0, size);
  void* zeros = __builtin_alloca(size);
  heddle_rt_memset(zeros, 0, size);
  passive_swap(address, size, zeros, zeros, result);
}

// ---- under heddle

// A range, and who accesses it.
struct Range {
  uint64_t address;
  uint32_t size;
  uint64_t pc;
  void* bytes() const { return reinterpret_cast<void*>(address); }
};

Range range(size_t size, const volatile void* at, uint64_t pc) {
  return {reinterpret_cast<uint64_t>(at), (uint32_t)size, pc};
}

void read_operand(void* copy, const void* p, const Range& r) {
  if (running()) access(raw(p), r.size, false, r.pc);
  heddle_rt_memcpy(copy, p, r.size);
}
void write_operand(void* p, const void* value, const Range& r) {
  if (running()) access(raw(p), r.size, true, r.pc);
  heddle_rt_memcpy(p, value, r.size);
}

// The range's first location, when its turn has come. `expected` is that of a compare-exchange.
Object& turn_of(Op op, const Range& r, bool writes, const void* expected = nullptr) {
  PendingOp p = operation(op, find_object(r.address, Kind::Atomic), r.pc);
  p.address = r.address;
  p.size = r.size;
  p.write = writes;
  if (expected) p.operand[kExpectedOperand] = value_to_tell(expected, r.size);
  if (captures()) clear_stack_below();
  announce(p);
  Object& o = *find_object(r.address, Kind::Atomic);
  if (captures()) touch_object(o);
  if (writes) tell_value(value_to_tell(expected ? expected : r.bytes(), r.size));
  return o;
}

void after_load_of(const Range& r, Object& first, int order) {
  after_load(first, order);
  each_further_word(r.address, r.size, [order](Object& o) { after_load(o, order); });
}
void before_store_to(const Range& r, Object& first, int order, bool read_modify_write) {
  before_store(first, order, read_modify_write);
  each_further_word(r.address, r.size,
                    [=](Object& o) { before_store(o, order, read_modify_write); });
}

void watch_range(const Range& r, Object& first, wire::AtomicOp op, int order) {
  if (running()) watch_order(first, r.address, (uint32_t)r.size, op, order, r.pc);
}

void overwrite(const Range& r, const void* with) {
  if (equal(r.bytes(), with, r.size))
    note_read(r.address, r.size);
  else
    note_change(r.address, r.size);
  lend(r.address, r.size);
  heddle_rt_memcpy(r.bytes(), with, r.size);
}

void load_range(const Range& r, void* loaded, int order) {
  if (passive()) return passive_load(r.address, r.size, loaded);
  heddle_rt_memset(loaded, 0, r.size);
  Object& o = turn_of(Op::AtomicLoad, r, false);
  if (running()) atomic_access(r.address, r.size, false, r.pc);
  after_load_of(r, o, order);
  watch_range(r, o, wire::AtomicOp::Load, order);
  note_read(r.address, r.size);
  heddle_rt_memcpy(loaded, r.bytes(), r.size);
}

void store_range(const Range& r, const void* value, int order) {
  if (passive()) return passive_exchange(r.address, r.size, value, __builtin_alloca(r.size));
  Object& o = turn_of(Op::AtomicStore, r, true);
  if (running()) atomic_access(r.address, r.size, true, r.pc);
  watch_range(r, o, wire::AtomicOp::Store, order);
  before_store_to(r, o, order, false);
  overwrite(r, value);
}

void exchange_range(const Range& r, const void* value, void* old, int order) {
  if (passive()) return passive_exchange(r.address, r.size, value, old);
  heddle_rt_memset(old, 0, r.size);
  Object& o = turn_of(Op::AtomicRmw, r, true);
  if (running()) atomic_access(r.address, r.size, true, r.pc);
  after_load_of(r, o, order);
  watch_range(r, o, wire::AtomicOp::Modify, order);
  before_store_to(r, o, order, true);
  heddle_rt_memcpy(old, r.bytes(), r.size);
  overwrite(r, value);
}

bool swap_range(const Range& r, const void* expected, const void* desired, void* now, int order,
                int failure) {
  if (passive()) return passive_swap(r.address, r.size, expected, desired, now);
  heddle_rt_memset(now, 0, r.size);
  Object& o = turn_of(Op::AtomicCas, r, true, expected);
  heddle_rt_memcpy(now, r.bytes(), r.size);
  bool exchanged = equal(now, expected, r.size);
  if (running()) atomic_access(r.address, r.size, exchanged, r.pc);
  set_outcome(exchanged);
  after_load_of(r, o, exchanged ? order : failure);
  watch_range(r, o, exchanged ? wire::AtomicOp::Modify : wire::AtomicOp::Load, exchanged ? order : failure);
  if (!exchanged) {
    note_read(r.address, r.size);
    return false;
  }
  before_store_to(r, o, order, true);
  note_change(r.address, r.size);
  lend(r.address, r.size);
  heddle_rt_memcpy(r.bytes(), desired, r.size);
  return true;
}

// The same with an operand of the caller's, which is written if the exchange fails.
bool compare_exchange_range(const Range& r, void* expected, const void* desired, int order,
                            int failure) {
  void* wanted = __builtin_alloca(r.size);
  void* now = __builtin_alloca(r.size);
  read_operand(wanted, expected, r);
  if (swap_range(r, wanted, desired, now, order, failure)) return true;
  write_operand(expected, now, r);
  return false;
}

bool lies_in_one_word(size_t size, const volatile void* at) {
  auto low = reinterpret_cast<uint64_t>(at);
  for (uint64_t word = 1; word <= 16; word *= 2)
    if (low / word == (low + size - 1) / word) return true;
  return false;
}

template <class T>
volatile T* as(volatile void* a) {
  return static_cast<volatile T*>(a);
}

inline bool test_and_set(volatile void* flag, int order, uint64_t pc) {
  return modify<u8>(
             as<u8>(flag), 1, [](u8, u8 y) { return y; }, order, pc) != 0;
}

}  // namespace

// Defined under other names than they are offered under: the compiler takes a function with a name
// of its own for the builtin, and what is meant to be an instruction here becomes a call of it.
#define OFFER(result, name, ...)                                     \
  HEDDLE_EXPORT result name(__VA_ARGS__) __asm__("__atomic_" #name); \
  result name(__VA_ARGS__)

namespace heddle::rt::libatomic {

OFFER(void, load, size_t size, const volatile void* a, void* result, int order) {
  if (!size) return;
  Range r = range(size, a, HEDDLE_PC);
  void* loaded = __builtin_alloca(size);
  load_range(r, loaded, order);
  write_operand(result, loaded, r);
}
OFFER(void, store, size_t size, volatile void* a, void* value, int order) {
  if (!size) return;
  Range r = range(size, a, HEDDLE_PC);
  void* stored = __builtin_alloca(size);
  read_operand(stored, value, r);
  store_range(r, stored, order);
}
OFFER(void, exchange, size_t size, volatile void* a, void* value, void* result, int order) {
  if (!size) return;
  Range r = range(size, a, HEDDLE_PC);
  void* stored = __builtin_alloca(size);
  void* old = __builtin_alloca(size);
  read_operand(stored, value, r);
  exchange_range(r, stored, old, order);
  write_operand(result, old, r);
}
OFFER(bool, compare_exchange, size_t size, volatile void* a, void* expected, void* desired,
      int order, int failure) {
  if (!size) return true;
  Range r = range(size, a, HEDDLE_PC);
  void* replacement = __builtin_alloca(size);
  read_operand(replacement, desired, r);
  return compare_exchange_range(r, expected, replacement, order, failure);
}
OFFER(bool, is_lock_free, size_t size, const volatile void* a) {
  return size <= 16 && lies_in_one_word(size, a);
}

#define FETCH(name, bytes, T, result)                                     \
  OFFER(T, fetch_##name##_##bytes, volatile void* a, T v, int o) {        \
    return modify<T>(                                                     \
        as<T>(a), v, [](T x, T y) { return (T)(result); }, o, HEDDLE_PC); \
  }                                                                       \
  OFFER(T, name##_fetch_##bytes, volatile void* a, T v, int o) {          \
    auto next = [](T x, T y) { return (T)(result); };                     \
    return next(modify<T>(as<T>(a), v, next, o, HEDDLE_PC), v);           \
  }
#define SIZED(bytes, T)                                                                 \
  OFFER(T, load_##bytes, const volatile void* a, int o) {                               \
    return atomics::load<T>(as<T>(const_cast<volatile void*>(a)), o, HEDDLE_PC);        \
  }                                                                                     \
  OFFER(void, store_##bytes, volatile void* a, T v, int o) {                            \
    atomics::store<T>(as<T>(a), v, o, HEDDLE_PC);                                       \
  }                                                                                     \
  OFFER(T, exchange_##bytes, volatile void* a, T v, int o) {                            \
    return modify<T>(                                                                   \
        as<T>(a), v, [](T, T y) { return y; }, o, HEDDLE_PC);                           \
  }                                                                                     \
  OFFER(bool, compare_exchange_##bytes, volatile void* a, void* e, T d, int o, int f) { \
    return compare_exchange_range(range(bytes, a, HEDDLE_PC), e, &d, o, f);             \
  }                                                                                     \
  OFFER(bool, test_and_set_##bytes, volatile void* a, int o) {                          \
    return test_and_set(a, o, HEDDLE_PC);                                               \
  }                                                                                     \
  FETCH(add, bytes, T, x + y)                                                           \
  FETCH(sub, bytes, T, x - y)                                                           \
  FETCH(and, bytes, T, x& y)                                                            \
  FETCH(or, bytes, T, x | y)                                                            \
  FETCH(xor, bytes, T, x ^ y)                                                           \
  FETCH(nand, bytes, T, ~(x & y))
SIZED(1, u8)
SIZED(2, u16)
SIZED(4, u32)
SIZED(8, u64)
SIZED(16, u128)

}  // namespace heddle::rt::libatomic

// What <stdatomic.h> declares as functions besides the macros of the same names.
extern "C" void __tsan_atomic_thread_fence(int);
HEDDLE_EXPORT bool atomic_flag_test_and_set_explicit(volatile void* flag, int order) {
  return test_and_set(flag, order, HEDDLE_PC);
}
HEDDLE_EXPORT bool atomic_flag_test_and_set(volatile void* flag) {
  return test_and_set(flag, __ATOMIC_SEQ_CST, HEDDLE_PC);
}
HEDDLE_EXPORT void atomic_flag_clear_explicit(volatile void* flag, int order) {
  store<u8>(as<u8>(flag), 0, order, HEDDLE_PC);
}
HEDDLE_EXPORT void atomic_flag_clear(volatile void* flag) {
  store<u8>(as<u8>(flag), 0, __ATOMIC_SEQ_CST, HEDDLE_PC);
}
HEDDLE_EXPORT void atomic_thread_fence(int order) { __tsan_atomic_thread_fence(order); }
HEDDLE_EXPORT void atomic_signal_fence(int) {}
