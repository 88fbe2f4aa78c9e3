// pthreads: threads, mutexes, condition variables, once, thread-specific data.
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "runtime/hidden.h"
#include "runtime/hooks.h"
#include "runtime/library/library.h"
#include "runtime/real.h"

using namespace heddle::rt;
namespace wire = heddle::wire;

// ---- mutexes

namespace {

// We leave a mark in a field of the object that glibc does not need, so that an object which its owner has initialised
// anew by plain assignment (a local std::mutex, a static initialiser) is recognised as a new one.
constexpr short kMark = 0x4844;

MutexType type_from(int kind) {
  switch (kind & 3) {
    case PTHREAD_MUTEX_RECURSIVE: return MutexType::Recursive;
    case PTHREAD_MUTEX_ERRORCHECK: return MutexType::ErrorCheck;
    default: return MutexType::Normal;
  }
}

}  // namespace

namespace heddle::rt {

Object* mutex_at(void* raw_mutex, uint64_t pc) {
  auto& data = static_cast<pthread_mutex_t*>(raw_mutex)->__data;
  Object* o = find_object(raw(raw_mutex), Kind::Mutex);
  if (data.__spins != kMark) {
    if (data.__kind & 16) unsupported("a robust mutex", pc);
    reset_object(*o);
    o->type = type_from(data.__kind);
    lend(raw(&data.__spins), sizeof data.__spins);
    data.__spins = kMark;
  }
  return o;
}

int mutex_init(void* raw_mutex, MutexType type, uint64_t pc) {
  auto* m = static_cast<pthread_mutex_t*>(raw_mutex);
  heddle_rt_memset(m, 0, sizeof *m);
  m->__data.__kind = type == MutexType::Recursive ? PTHREAD_MUTEX_RECURSIVE
                     : type == MutexType::ErrorCheck ? PTHREAD_MUTEX_ERRORCHECK : PTHREAD_MUTEX_NORMAL;
  m->__data.__spins = kMark;
  Object* o = find_object(raw(m), Kind::Mutex);
  announce(complete(operation(Op::MutexInit, o, pc, (uint64_t)type)));
  return 0;
}

int mutex_destroy(void* m, uint64_t pc) { return announce(complete(operation(Op::MutexDestroy, mutex_at(m, pc), pc))); }
int mutex_lock(void* m, uint64_t pc) { return announce(complete(operation(Op::MutexLock, mutex_at(m, pc), pc))); }
int mutex_unlock(void* m, uint64_t pc) { return announce(complete(operation(Op::MutexUnlock, mutex_at(m, pc), pc))); }
int mutex_trylock(void* m, uint64_t pc) {
  return announce(complete(operation(Op::MutexTryLock, mutex_at(m, pc), pc))) ? 0 : EBUSY;
}
int mutex_timedlock(void* m, clockid_t clock, const timespec* deadline, uint64_t pc) {
  if (!valid(deadline)) return EINVAL;
  int result = announce(complete(operation(Op::MutexTimedLock, mutex_at(m, pc), pc), raw(deadline), (uint64_t)clock));
  if (result == ETIMEDOUT) waited_until(clock, *deadline);
  return result;
}

}  // namespace heddle::rt

HEDDLE_EXPORT int pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* a) {
  if (passive()) return REAL(pthread_mutex_init)(m, a);
  int type = PTHREAD_MUTEX_NORMAL, robust = 0;
  if (a) {
    library::caller_reads(a, sizeof *a, HEDDLE_PC);
    REAL(pthread_mutexattr_gettype)(a, &type);
    REAL(pthread_mutexattr_getrobust)(a, &robust);
  }
  if (robust == PTHREAD_MUTEX_ROBUST) unsupported("pthread_mutex_init of a robust mutex", HEDDLE_PC);
  return mutex_init(m, type_from(type), HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* m) {
  return passive() ? REAL(pthread_mutex_destroy)(m) : mutex_destroy(m, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_mutex_lock(pthread_mutex_t* m) {
  return passive() ? REAL(pthread_mutex_lock)(m) : mutex_lock(m, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* m) {
  return passive() ? REAL(pthread_mutex_trylock)(m) : mutex_trylock(m, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* t) {
  if (passive()) return REAL(pthread_mutex_timedlock)(m, t);
  library::caller_reads(t, sizeof *t, HEDDLE_PC);
  return mutex_timedlock(m, CLOCK_REALTIME, t, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t c, const timespec* t) {
  if (passive()) return REAL(pthread_mutex_clocklock)(m, c, t);
  library::caller_reads(t, sizeof *t, HEDDLE_PC);
  return mutex_timedlock(m, c, t, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* m) {
  return passive() ? REAL(pthread_mutex_unlock)(m) : mutex_unlock(m, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_mutex_consistent(pthread_mutex_t* m) {
  if (passive()) return REAL(pthread_mutex_consistent)(m);
  unsupported("pthread_mutex_consistent", HEDDLE_PC);
}

// ---- condition variables

namespace heddle::rt {

Object* cond_at(void* raw_cond) {
  auto& data = static_cast<pthread_cond_t*>(raw_cond)->__data;
  Object* o = find_object(raw(raw_cond), Kind::Cond);
  if (data.__g_size[1] != (unsigned)kMark) {
    reset_object(*o);
    lend(raw(&data.__g_size[1]), sizeof data.__g_size[1]);
    data.__g_size[1] = (unsigned)kMark;
  }
  return o;
}

int cond_init(void* c, uint64_t pc, clockid_t clock) {
  heddle_rt_memset(c, 0, sizeof(pthread_cond_t));
  announce(complete(operation(Op::CondInit, cond_at(c), pc), (uint64_t)clock));
  return 0;
}
int cond_destroy(void* c, uint64_t pc) { return announce(complete(operation(Op::CondDestroy, cond_at(c), pc))); }
int cond_signal(void* c, uint64_t pc) {
  announce(complete(operation(Op::CondSignal, cond_at(c), pc)));
  return 0;
}
int cond_broadcast(void* c, uint64_t pc) {
  announce(complete(operation(Op::CondBroadcast, cond_at(c), pc)));
  return 0;
}

int cond_wait(void* c, void* m, clockid_t clock, const timespec* deadline, uint64_t pc) {
  PendingOp p = complete(operation(Op::CondWait, cond_at(c), pc), raw(deadline), (uint64_t)clock);
  p.second = mutex_at(m, pc);
  set_timed(p, deadline != nullptr);
  announce(p);
  p.argument = self().pending.argument;  // how deep the mutex was held
  p.op = Op::CondResume;
  p.size = other_ways_out(p.timed);
  if (announce(p) != 1) return 0;
  count_timeout(pc);
  waited_until(clock, *deadline);
  return ETIMEDOUT;
}

}  // namespace heddle::rt

namespace {

// The attribute's clock is kept in the condition variable, as glibc does.
constexpr unsigned kMonotonicCond = 2;
clockid_t clock_of(const pthread_cond_t* c) { return c->__data.__wrefs & kMonotonicCond ? CLOCK_MONOTONIC : CLOCK_REALTIME; }

}  // namespace

HEDDLE_EXPORT int pthread_cond_init(pthread_cond_t* c, const pthread_condattr_t* a) {
  if (passive()) return REAL(pthread_cond_init)(c, a);
  clockid_t clock = CLOCK_REALTIME;
  library::caller_reads(a, sizeof *a, HEDDLE_PC);
  if (a) REAL(pthread_condattr_getclock)(a, &clock);
  int result = cond_init(c, HEDDLE_PC, clock);
  c->__data.__wrefs = clock == CLOCK_MONOTONIC ? kMonotonicCond : 0;
  return result;
}
HEDDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* c) {
  return passive() ? REAL(pthread_cond_destroy)(c) : cond_destroy(c, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_cond_signal(pthread_cond_t* c) {
  return passive() ? REAL(pthread_cond_signal)(c) : cond_signal(c, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* c) {
  return passive() ? REAL(pthread_cond_broadcast)(c) : cond_broadcast(c, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  return passive() ? REAL(pthread_cond_wait)(c, m) : cond_wait(c, m, CLOCK_REALTIME, nullptr, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* t) {
  if (passive()) return REAL(pthread_cond_timedwait)(c, m, t);
  library::caller_reads(t, sizeof *t, HEDDLE_PC);
  if (!valid(t)) return EINVAL;
  return cond_wait(c, m, clock_of(c), t, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* t) {
  if (passive()) return REAL(pthread_cond_clockwait)(c, m, clock, t);
  library::caller_reads(t, sizeof *t, HEDDLE_PC);
  if (!valid(t)) return EINVAL;
  return cond_wait(c, m, clock, t, HEDDLE_PC);
}

// ---- threads

namespace heddle::rt {

int thread_create(unsigned long* handle, void* (*start)(void*), void* argument, bool detached, uint64_t pc) {
  if (heddle_mode == Mode::PreMain) unsupported("pthread_create", pc, "before main has started");
  // The handle must be there before the child can run: it may read it.
  Thread& parent = self();
  int slot = child_slot(parent);
  if (slot < 0) unsupported("pthread_create", pc, "of more than 126 threads");
  *handle = R().slots[slot].fs_base;
  start_thread(slot, start, argument, detached, pc);
  return 0;
}

int thread_join(unsigned long handle, void** result, uint64_t pc) {
  Thread* other = thread_of(handle);
  if (!other) return ESRCH;
  if (other == &self()) return EDEADLK;
  if (other->detached || other->joined) return EINVAL;
  PendingOp p = operation(Op::ThreadJoin, nullptr, pc, other->slot);
  p.name = wire::make_address(wire::Region::Thread, other->slot, 0);
  announce(complete(p, raw(result)));
  if (result) *result = other->result;
  return 0;
}

int thread_detach(unsigned long handle) {
  Thread* other = thread_of(handle);
  if (!other) return ESRCH;
  if (other->detached) return EINVAL;
  other->detached = 1;
  return 0;
}

}  // namespace heddle::rt

namespace {

int try_join(pthread_t handle, void** result, int otherwise, uint64_t pc, const timespec* at = nullptr, clockid_t clock = CLOCK_REALTIME) {
  Thread* other = thread_of(handle);
  if (!other) return ESRCH;
  if (other == &self()) return EDEADLK;
  if (other->detached || other->joined) return EINVAL;
  PendingOp p = operation(Op::ThreadTryJoin, nullptr, pc, other->slot);
  p.name = wire::make_address(wire::Region::Thread, other->slot, 0);
  if (!announce(complete(p, raw(result), raw(at), (uint64_t)clock))) return otherwise;
  if (result) *result = other->result;
  return 0;
}

}  // namespace

HEDDLE_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* a, void* (*start)(void*), void* argument) {
  if (passive()) return REAL(pthread_create)(handle, a, start, argument);
  refuse_foreign_threads(HEDDLE_PC);
  int detach = PTHREAD_CREATE_JOINABLE;
  library::caller_reads(a, sizeof *a, HEDDLE_PC);
  if (a) REAL(pthread_attr_getdetachstate)(a, &detach);
  library::caller_writes(handle, sizeof *handle, HEDDLE_PC);
  return thread_create(handle, start, argument, detach == PTHREAD_CREATE_DETACHED, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_join(pthread_t t, void** result) {
  if (passive()) return REAL(pthread_join)(t, result);
  int error = thread_join(t, result, HEDDLE_PC);
  if (!error) library::caller_wrote(result, sizeof *result, HEDDLE_PC);
  return error;
}
HEDDLE_EXPORT int pthread_tryjoin_np(pthread_t t, void** result) {
  if (passive()) return REAL(pthread_tryjoin_np)(t, result);
  int error = try_join(t, result, EBUSY, HEDDLE_PC);
  if (!error) library::caller_wrote(result, sizeof *result, HEDDLE_PC);
  return error;
}
HEDDLE_EXPORT int pthread_timedjoin_np(pthread_t t, void** result, const timespec* at) {
  if (passive()) return REAL(pthread_timedjoin_np)(t, result, at);
  library::caller_reads(at, sizeof *at, HEDDLE_PC);
  int r = try_join(t, result, ETIMEDOUT, HEDDLE_PC, at);
  if (r == ETIMEDOUT && valid(at)) waited_until(CLOCK_REALTIME, *at);
  if (!r) library::caller_wrote(result, sizeof *result, HEDDLE_PC);
  return r;
}
HEDDLE_EXPORT int pthread_clockjoin_np(pthread_t t, void** result, clockid_t clock, const timespec* at) {
  if (passive()) return REAL(pthread_clockjoin_np)(t, result, clock, at);
  library::caller_reads(at, sizeof *at, HEDDLE_PC);
  int r = try_join(t, result, ETIMEDOUT, HEDDLE_PC, at, clock);
  if (r == ETIMEDOUT && valid(at)) waited_until(clock, *at);
  if (!r) library::caller_wrote(result, sizeof *result, HEDDLE_PC);
  return r;
}
HEDDLE_EXPORT int pthread_detach(pthread_t t) { return passive() ? REAL(pthread_detach)(t) : thread_detach(t); }

HEDDLE_EXPORT void pthread_exit(void* result) {
  if (running()) self().result = result;
  REAL(pthread_exit)(result);  // unwinds to heddle_thread_main (thread_entry.c)
  __builtin_unreachable();
}
HEDDLE_EXPORT int pthread_cancel(pthread_t t) {
  if (passive()) return REAL(pthread_cancel)(t);
  unsupported("pthread_cancel", HEDDLE_PC);
}
namespace {

void name_is_used(const char* call, pthread_t t, Use use, uint64_t pc) {
  if (const Thread* other = thread_of(t)) HiddenCall(call, pc).safe(wire::Hidden::ThreadName, use, other->slot);
}

}  // namespace

HEDDLE_EXPORT int pthread_setname_np(pthread_t t, const char* name) {
  if (passive()) return REAL(pthread_setname_np)(t, name);
  if (library::counts(HEDDLE_PC)) library::reads_text(name, HEDDLE_PC);
  if (length_of(name) > 15) return ERANGE;
  name_is_used("pthread_setname_np", t, Use::Put, HEDDLE_PC);
  if (Thread* other = thread_of(t)) Text(other->name, sizeof other->name) << name;
  return 0;
}
HEDDLE_EXPORT int pthread_getname_np(pthread_t t, char* name, size_t n) {
  if (passive()) return REAL(pthread_getname_np)(t, name, n);
  Thread* other = thread_of(t);
  if (!other) return ESRCH;
  if (n < 16) return ERANGE;
  name_is_used("pthread_getname_np", t, Use::Look, HEDDLE_PC);
  library::caller_writes(name, length_of(other->name) + 1, HEDDLE_PC);
  Text(name, n) << other->name;
  return 0;
}
HEDDLE_EXPORT int pthread_getattr_np(pthread_t t, pthread_attr_t* a) {
  if (!running()) return REAL(pthread_getattr_np)(t, a);
  Thread* other = thread_of(t);
  if (!other) return ESRCH;
  library::caller_writes(a, sizeof *a, HEDDLE_PC);
  REAL(pthread_attr_init)(a);
  REAL(pthread_attr_setstack)(a, reinterpret_cast<void*>(layout::stack_low(other->slot)), layout::kStackBytes);
  if (other->detached) REAL(pthread_attr_setdetachstate)(a, PTHREAD_CREATE_DETACHED);
  return 0;
}
HEDDLE_EXPORT int pthread_setaffinity_np(pthread_t t, size_t n, const cpu_set_t* s) {
  return passive() ? REAL(pthread_setaffinity_np)(t, n, s) : 0;
}
HEDDLE_EXPORT int pthread_setschedparam(pthread_t t, int policy, const sched_param* p) {
  return passive() ? REAL(pthread_setschedparam)(t, policy, p) : 0;
}
HEDDLE_EXPORT int pthread_setschedprio(pthread_t t, int p) { return passive() ? REAL(pthread_setschedprio)(t, p) : 0; }

// ---- once

extern "C" int heddle_once_begin(uint64_t address, void (*initialiser)(void), uint64_t pc) {
  Object* o = find_object(address, Kind::Once);
  auto* word = reinterpret_cast<int*>(address);
  if (*word == 0 && o->count == 2) reset_object(*o);  // initialised anew by assignment
  return announce(complete(operation(Op::OnceBegin, o, pc), reinterpret_cast<uint64_t>(initialiser)));
}
extern "C" void heddle_once_end(uint64_t address, int done, uint64_t pc) {
  PendingOp p = operation(Op::OnceEnd, find_object(address, Kind::Once), pc, (uint64_t)done);
  announce(done ? complete(p) : p);  // not done: an exception is on its way through our frame
  *reinterpret_cast<int*>(address) = done ? 2 : 0;
}
HEDDLE_EXPORT int pthread_once(pthread_once_t* control, void (*initialiser)(void)) {
  if (passive()) return REAL(pthread_once)(control, initialiser);
  heddle_once(raw(control), initialiser, HEDDLE_PC);
  return 0;
}

// Function-local statics. The compiler's fast path is an atomic load of the first byte; the object of the guard itself is
// named by the second.
extern "C" {
void __tsan_atomic8_store(volatile uint8_t*, uint8_t, int);
int __cxa_guard_acquire(uint64_t*);
void __cxa_guard_release(uint64_t*);
void __cxa_guard_abort(uint64_t*);
}
namespace {
Object* guard_at(uint64_t* g) { return find_object(raw(g) + 1, Kind::Once); }
uint8_t* ready_byte(uint64_t* g) { return reinterpret_cast<uint8_t*>(g); }
}  // namespace

HEDDLE_EXPORT int __cxa_guard_acquire(uint64_t* g) {
  if (passive()) return REAL(__cxa_guard_acquire)(g);
  return announce(complete(operation(Op::OnceBegin, guard_at(g), HEDDLE_PC)));
}
HEDDLE_EXPORT void __cxa_guard_release(uint64_t* g) {
  if (passive()) return REAL(__cxa_guard_release)(g);
  __tsan_atomic8_store(ready_byte(g), 1, __ATOMIC_RELEASE);
  announce(complete(operation(Op::OnceEnd, guard_at(g), HEDDLE_PC, 1)));
}
HEDDLE_EXPORT void __cxa_guard_abort(uint64_t* g) {
  if (passive()) return REAL(__cxa_guard_abort)(g);
  announce(complete(operation(Op::OnceEnd, guard_at(g), HEDDLE_PC, 0)));
}

// ---- thread-specific data

namespace heddle::rt {

int key_create(unsigned* key, void (*destructor)(void*)) {
  Runtime& r = R();
  for (unsigned k = 0; k < kMaxKeys; ++k) {
    if (k < r.key_count && r.keys[k].used) continue;
    if (k >= r.key_count) {
      r.key_count = k + 1;
      for (uint32_t t = 0; t < r.clock_width; ++t) r.stores[t].keys[k] = nullptr;
    }
    r.keys[k] = {1, destructor};
    *key = k;
    return 0;
  }
  return EAGAIN;
}

int key_delete(unsigned key) {
  Runtime& r = R();
  if (key >= r.key_count || !r.keys[key].used) return EINVAL;
  r.keys[key].used = 0;
  for (uint32_t t = 0; t < r.clock_width; ++t) r.stores[t].keys[key] = nullptr;
  return 0;
}

int key_set(unsigned key, const void* value) {
  if (key >= R().key_count || !R().keys[key].used) return EINVAL;
  store_of(self()).keys[key] = const_cast<void*>(value);
  return 0;
}

void* key_get(unsigned key) { return key < R().key_count ? store_of(self()).keys[key] : nullptr; }

}  // namespace heddle::rt

HEDDLE_EXPORT int pthread_key_create(pthread_key_t* k, void (*d)(void*)) {
  if (passive()) return REAL(pthread_key_create)(k, d);
  library::caller_writes(k, sizeof *k, HEDDLE_PC);
  return key_create(k, d);
}
HEDDLE_EXPORT int pthread_key_delete(pthread_key_t k) { return passive() ? REAL(pthread_key_delete)(k) : key_delete(k); }
HEDDLE_EXPORT int pthread_setspecific(pthread_key_t k, const void* v) { return passive() ? REAL(pthread_setspecific)(k, v) : key_set(k, v); }
HEDDLE_EXPORT void* pthread_getspecific(pthread_key_t k) { return passive() ? REAL(pthread_getspecific)(k) : key_get(k); }

extern "C" int __cxa_thread_atexit_impl(void (*)(void*), void*, void*);
HEDDLE_EXPORT int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* dso) {
  if (passive()) return REAL(__cxa_thread_atexit_impl)(function, object, dso);
  Thread& t = self();
  if (t.tls_destructors >= kMaxTlsDestructors) unsupported("more than 1,024 thread-local objects of one thread", HEDDLE_PC);
  store_of(t).tls_destructors[t.tls_destructors++] = {function, object};
  return 0;
}

// ---- yielding: every operation is a scheduling point already

HEDDLE_EXPORT int sched_yield(void) { return passive() ? REAL(sched_yield)() : 0; }
