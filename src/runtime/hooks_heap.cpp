// The malloc family and operator new and delete. Blocks of libc's own heap (from before the runtime was ready) are told by
// their address.
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "runtime/hooks.h"
#include "runtime/library/library.h"
#include "runtime/real.h"

using namespace heddle::rt;

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
}

namespace {

void* or_no_memory(void* p) {
  if (!p) errno = ENOMEM;
  return p;
}

void* allocate(size_t size, size_t alignment, uint64_t pc) {
  if (passive()) return alignment <= 16 ? __libc_malloc(size) : __libc_memalign(alignment, size);
  return or_no_memory(heap_allocate(size, alignment, pc));
}

// What an allocation stores in its block is a write of the caller, like the construction of an object: to hand the block to
// another thread without order is a race.
void* filled(void* p, size_t n, uint64_t pc) {
  if (p && n && library::counts(pc) && !ignores(true)) mark_filled(raw(p), n, pc);
  return p;
}

bool frees_are_visible() { return running() && R().visible_mode == 2; }

// Not where libc frees what is its own: it may hold a lock that nobody sees.
void announce_free(void* p, uint64_t pc) {
  if (HEDDLE_UNLIKELY(frees_are_visible()) && layout::in_heap(raw(p)) && instrumented(pc)) heap_announce_free(p, pc);
}

void announce_delete(void* p, uint64_t pc) {
  if (HEDDLE_UNLIKELY(frees_are_visible()) && layout::in_heap(raw(p))) heap_announce_free(p, pc);
}

void release_block(void* p, uint64_t pc) {
  if (!layout::in_heap(raw(p))) {
    if (running() && layout::in_stacks(raw(p))) heap_free(p, pc);  // reports it
    __libc_free(p);
    return;
  }
  if (!passive()) heap_free(p, pc);
}

void* reallocate(void* old, size_t size, uint64_t pc) {
  if (!old) return allocate(size, 16, pc);
  announce_free(old, pc);
  if (!layout::in_heap(raw(old))) {
    if (passive()) return __libc_realloc(old, size);
    size_t had = REAL(malloc_usable_size)(old);
    void* p = allocate(size, 16, pc);
    if (p) heddle_rt_memcpy(p, old, had < size ? had : size);
    __libc_free(old);
    return filled(p, had < size ? had : size, pc);
  }
  if (size == 0) {
    release_block(old, pc);
    return nullptr;
  }
  void* p = allocate(size, 16, pc);
  if (!p) return nullptr;
  size_t had = heap_size(old);
  heddle_rt_memcpy(p, old, had < size ? had : size);
  release_block(old, pc);
  return filled(p, had < size ? had : size, pc);
}

bool power_of_two(size_t n) { return n && !(n & (n - 1)); }

}  // namespace

HEDDLE_EXPORT void* malloc(size_t n) { return allocate(n, 16, HEDDLE_PC); }
HEDDLE_EXPORT void free(void* p) {
  if (!p) return;
  announce_free(p, HEDDLE_PC);
  release_block(p, HEDDLE_PC);
}
HEDDLE_EXPORT void* calloc(size_t n, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) return or_no_memory(nullptr);
  if (passive()) return __libc_calloc(n, size);
  return filled(allocate(bytes, 16, HEDDLE_PC), bytes, HEDDLE_PC);  // fresh memory is zero, and reused memory is cleared
}
HEDDLE_EXPORT void* realloc(void* p, size_t n) { return reallocate(p, n, HEDDLE_PC); }
HEDDLE_EXPORT void* reallocarray(void* p, size_t n, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) return or_no_memory(nullptr);
  return reallocate(p, bytes, HEDDLE_PC);
}
HEDDLE_EXPORT void* memalign(size_t alignment, size_t n) { return allocate(n, alignment, HEDDLE_PC); }
HEDDLE_EXPORT void* aligned_alloc(size_t alignment, size_t n) { return allocate(n, alignment, HEDDLE_PC); }
HEDDLE_EXPORT void* valloc(size_t n) { return allocate(n, 4096, HEDDLE_PC); }
HEDDLE_EXPORT void* pvalloc(size_t n) { return allocate((n + 4095) & ~(size_t)4095, 4096, HEDDLE_PC); }
HEDDLE_EXPORT int posix_memalign(void** out, size_t alignment, size_t n) {
  if (!power_of_two(alignment) || alignment % sizeof(void*)) return EINVAL;
  void* p = allocate(n, alignment, HEDDLE_PC);
  if (!p) return ENOMEM;
  const uint64_t pc = HEDDLE_PC;
  if (library::counts(pc)) library::writes(out, sizeof *out, pc);
  *out = p;
  return 0;
}
HEDDLE_EXPORT size_t malloc_usable_size(void* p) {
  if (!p) return 0;
  return layout::in_heap(raw(p)) ? heap_size(p) : REAL(malloc_usable_size)(p);
}

// ---- C++

extern "C" __attribute__((weak)) void _ZSt17__throw_bad_allocv();

namespace {

void* operator_new(size_t n, size_t alignment, uint64_t pc) {
  void* p = allocate(n, alignment, pc);
  if (!p && _ZSt17__throw_bad_allocv) _ZSt17__throw_bad_allocv();
  return p;
}

void delete_block(void* p, uint64_t pc) {
  if (!p) return;
  announce_delete(p, pc);
  release_block(p, pc);
}

}  // namespace

struct nothrow_tag;
#define NEW(name, ...) HEDDLE_EXPORT void* name(__VA_ARGS__)
NEW(_Znwm, size_t n) { return operator_new(n, 16, HEDDLE_PC); }
NEW(_Znam, size_t n) { return operator_new(n, 16, HEDDLE_PC); }
NEW(_ZnwmRKSt9nothrow_t, size_t n, const nothrow_tag*) { return allocate(n, 16, HEDDLE_PC); }
NEW(_ZnamRKSt9nothrow_t, size_t n, const nothrow_tag*) { return allocate(n, 16, HEDDLE_PC); }
NEW(_ZnwmSt11align_val_t, size_t n, size_t a) { return operator_new(n, a, HEDDLE_PC); }
NEW(_ZnamSt11align_val_t, size_t n, size_t a) { return operator_new(n, a, HEDDLE_PC); }
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, size_t n, size_t a, const nothrow_tag*) { return allocate(n, a, HEDDLE_PC); }
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, size_t n, size_t a, const nothrow_tag*) { return allocate(n, a, HEDDLE_PC); }
#undef NEW

#define DELETE(name, ...) \
  HEDDLE_EXPORT void name(void* p __VA_OPT__(, ) __VA_ARGS__) { delete_block(p, HEDDLE_PC); }
DELETE(_ZdlPv)
DELETE(_ZdaPv)
DELETE(_ZdlPvm, size_t)
DELETE(_ZdaPvm, size_t)
DELETE(_ZdlPvRKSt9nothrow_t, const nothrow_tag*)
DELETE(_ZdaPvRKSt9nothrow_t, const nothrow_tag*)
DELETE(_ZdlPvSt11align_val_t, size_t)
DELETE(_ZdaPvSt11align_val_t, size_t)
DELETE(_ZdlPvmSt11align_val_t, size_t, size_t)
DELETE(_ZdaPvmSt11align_val_t, size_t, size_t)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, size_t, const nothrow_tag*)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, size_t, const nothrow_tag*)
#undef DELETE
