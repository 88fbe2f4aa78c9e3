// The atomic operations of -fsanitize=thread code, and fences.
#include "runtime/atomics.h"

using namespace heddle::rt;
using namespace heddle::rt::atomics;

#define ATOMIC(bits, T)                                                                                                          \
  HEDDLE_EXPORT T __tsan_atomic##bits##_load(const volatile T* a, int o) { return load<T>(const_cast<volatile T*>(a), o, HEDDLE_PC); }\
  HEDDLE_EXPORT void __tsan_atomic##bits##_store(volatile T* a, T v, int o) { store<T>(a, v, o, HEDDLE_PC); }                    \
  HEDDLE_EXPORT T __tsan_atomic##bits##_exchange(volatile T* a, T v, int o) { return modify<T>(a, v, [](T, T y) { return y; }, o, HEDDLE_PC); }\
  HEDDLE_EXPORT T __tsan_atomic##bits##_fetch_add(volatile T* a, T v, int o) { return modify<T>(a, v, [](T x, T y) { return (T)(x + y); }, o, HEDDLE_PC); }\
  HEDDLE_EXPORT T __tsan_atomic##bits##_fetch_sub(volatile T* a, T v, int o) { return modify<T>(a, v, [](T x, T y) { return (T)(x - y); }, o, HEDDLE_PC); }\
  HEDDLE_EXPORT T __tsan_atomic##bits##_fetch_and(volatile T* a, T v, int o) { return modify<T>(a, v, [](T x, T y) { return (T)(x & y); }, o, HEDDLE_PC); }\
  HEDDLE_EXPORT T __tsan_atomic##bits##_fetch_or(volatile T* a, T v, int o) { return modify<T>(a, v, [](T x, T y) { return (T)(x | y); }, o, HEDDLE_PC); }\
  HEDDLE_EXPORT T __tsan_atomic##bits##_fetch_xor(volatile T* a, T v, int o) { return modify<T>(a, v, [](T x, T y) { return (T)(x ^ y); }, o, HEDDLE_PC); }\
  HEDDLE_EXPORT T __tsan_atomic##bits##_fetch_nand(volatile T* a, T v, int o) { return modify<T>(a, v, [](T x, T y) { return (T) ~(x & y); }, o, HEDDLE_PC); }\
  HEDDLE_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile T* a, T* e, T d, int o, int f) {                      \
    return cas<T>(a, e, d, o, f, false, HEDDLE_PC);                                                                \
  }                                                                                                                              \
  HEDDLE_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile T* a, T* e, T d, int o, int f) {                        \
    return cas<T>(a, e, d, o, f, true, HEDDLE_PC);                                                                 \
  }                                                                                                                              \
  HEDDLE_EXPORT T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T e, T d, int o, int f) {                            \
    cas<T>(a, &e, d, o, f, false, HEDDLE_PC);                                                                                    \
    return e;                                                                                                                    \
  }
ATOMIC(8, u8)
ATOMIC(16, u16)
ATOMIC(32, u32)
ATOMIC(64, u64)
ATOMIC(128, u128)

// Fences move no data: they are not scheduling points, they only decide what later and earlier relaxed accesses order.
HEDDLE_EXPORT void __tsan_atomic_thread_fence(int order) {
  if (passive()) return __atomic_thread_fence(__ATOMIC_SEQ_CST);
  Thread& t = self();
  if (acquires(order) && t.has_fence_acquire) acquire(t, t.fence_acquire);
  if (releases(order)) {
    clock_clear(t.fence_release);
    clock_copy(t.fence_release, t.clock);
    t.has_fence_release = 1;
    tick(t);
  }
}
HEDDLE_EXPORT void __tsan_atomic_signal_fence(int) {}
