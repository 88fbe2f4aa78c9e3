// Read-write locks, spinlocks, barriers, semaphores, futexes.
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "runtime/hooks.h"
#include "runtime/library/library.h"
#include "runtime/real.h"

using namespace heddle::rt;

// ---- read-write locks

namespace {

constexpr unsigned kMark = 0x4844;  // see hooks_pthread.cpp

Object* rwlock_at(pthread_rwlock_t* l) {
  Object* o = find_object(raw(l), Kind::Rwlock);
  if (l->__data.__pad3 != kMark) {
    reset_object(*o);
    lend(raw(&l->__data.__pad3), sizeof l->__data.__pad3);
    l->__data.__pad3 = kMark;
  }
  return o;
}

int lock_rw(Op op, pthread_rwlock_t* l, uint64_t pc) {
  Object* o = rwlock_at(l);
  bool deadlock = o->owner == self().slot && (op == Op::RwReadLock || op == Op::RwWriteLock);
  if (deadlock) return EDEADLK;
  announce(complete(operation(op, o, pc)));
  return 0;
}

int try_rw(Op op, pthread_rwlock_t* l, uint64_t pc) { return announce(complete(operation(op, rwlock_at(l), pc))) ? 0 : EBUSY; }

int timed_rw(Op op, pthread_rwlock_t* l, clockid_t clock, const timespec* at, uint64_t pc) {
  if (!valid(at)) return EINVAL;
  if (announce(complete(operation(op, rwlock_at(l), pc), raw(at), (uint64_t)clock)) == 0) return 0;
  waited_until(clock, *at);
  return ETIMEDOUT;
}

}  // namespace

HEDDLE_EXPORT int pthread_rwlock_init(pthread_rwlock_t* l, const pthread_rwlockattr_t* a) {
  if (passive()) return REAL(pthread_rwlock_init)(l, a);
  heddle_rt_memset(l, 0, sizeof *l);
  announce(complete(operation(Op::RwInit, rwlock_at(l), HEDDLE_PC)));
  return 0;
}
HEDDLE_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* l) {
  return passive() ? REAL(pthread_rwlock_destroy)(l) : announce(complete(operation(Op::RwDestroy, rwlock_at(l), HEDDLE_PC)));
}
HEDDLE_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* l) {
  return passive() ? REAL(pthread_rwlock_rdlock)(l) : lock_rw(Op::RwReadLock, l, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* l) {
  return passive() ? REAL(pthread_rwlock_wrlock)(l) : lock_rw(Op::RwWriteLock, l, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) {
  return passive() ? REAL(pthread_rwlock_tryrdlock)(l) : try_rw(Op::RwTryReadLock, l, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* l) {
  return passive() ? REAL(pthread_rwlock_trywrlock)(l) : try_rw(Op::RwTryWriteLock, l, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* l, const timespec* t) {
  if (passive()) return REAL(pthread_rwlock_timedrdlock)(l, t);
  library::caller_reads(t, sizeof *t, HEDDLE_PC);
  return timed_rw(Op::RwTimedReadLock, l, CLOCK_REALTIME, t, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* l, const timespec* t) {
  if (passive()) return REAL(pthread_rwlock_timedwrlock)(l, t);
  library::caller_reads(t, sizeof *t, HEDDLE_PC);
  return timed_rw(Op::RwTimedWriteLock, l, CLOCK_REALTIME, t, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t c, const timespec* t) {
  if (passive()) return REAL(pthread_rwlock_clockrdlock)(l, c, t);
  library::caller_reads(t, sizeof *t, HEDDLE_PC);
  return timed_rw(Op::RwTimedReadLock, l, c, t, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t c, const timespec* t) {
  if (passive()) return REAL(pthread_rwlock_clockwrlock)(l, c, t);
  library::caller_reads(t, sizeof *t, HEDDLE_PC);
  return timed_rw(Op::RwTimedWriteLock, l, c, t, HEDDLE_PC);
}
HEDDLE_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* l) {
  if (passive()) return REAL(pthread_rwlock_unlock)(l);
  announce(complete(operation(Op::RwUnlock, rwlock_at(l), HEDDLE_PC)));
  return 0;
}

// ---- spinlocks: mutexes of another name

namespace {
uint64_t address_of(pthread_spinlock_t* s) { return reinterpret_cast<uint64_t>(s); }
Object* spin_at(pthread_spinlock_t* s) {
  Object* o = find_object(address_of(s), Kind::Mutex);
  o->type = MutexType::Spin;
  return o;
}
}  // namespace

HEDDLE_EXPORT int pthread_spin_init(pthread_spinlock_t* s, int shared) {
  if (passive()) return REAL(pthread_spin_init)(s, shared);
  announce(complete(operation(Op::MutexInit, spin_at(s), HEDDLE_PC, (uint64_t)MutexType::Spin)));
  *s = 1;
  return 0;
}
HEDDLE_EXPORT int pthread_spin_destroy(pthread_spinlock_t* s) {
  return passive() ? REAL(pthread_spin_destroy)(s) : announce(complete(operation(Op::MutexDestroy, spin_at(s), HEDDLE_PC)));
}
HEDDLE_EXPORT int pthread_spin_lock(pthread_spinlock_t* s) {
  return passive() ? REAL(pthread_spin_lock)(s) : announce(complete(operation(Op::MutexLock, spin_at(s), HEDDLE_PC)));
}
HEDDLE_EXPORT int pthread_spin_trylock(pthread_spinlock_t* s) {
  if (passive()) return REAL(pthread_spin_trylock)(s);
  return announce(complete(operation(Op::MutexTryLock, spin_at(s), HEDDLE_PC))) ? 0 : EBUSY;
}
HEDDLE_EXPORT int pthread_spin_unlock(pthread_spinlock_t* s) {
  return passive() ? REAL(pthread_spin_unlock)(s) : announce(complete(operation(Op::MutexUnlock, spin_at(s), HEDDLE_PC)));
}

// ---- barriers

namespace {
Object* barrier_at(pthread_barrier_t* b) { return find_object(raw(b), Kind::Barrier); }
}  // namespace

HEDDLE_EXPORT int pthread_barrier_init(pthread_barrier_t* b, const pthread_barrierattr_t* a, unsigned count) {
  if (passive()) return REAL(pthread_barrier_init)(b, a, count);
  if (count == 0) return EINVAL;
  announce(complete(operation(Op::BarrierInit, barrier_at(b), HEDDLE_PC, count)));
  return 0;
}
HEDDLE_EXPORT int pthread_barrier_destroy(pthread_barrier_t* b) {
  return passive() ? REAL(pthread_barrier_destroy)(b) : announce(complete(operation(Op::BarrierDestroy, barrier_at(b), HEDDLE_PC)));
}
HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* b) {
  if (passive()) return REAL(pthread_barrier_wait)(b);
  Object* o = barrier_at(b);
  if (announce(complete(operation(Op::BarrierWait, o, HEDDLE_PC)))) return PTHREAD_BARRIER_SERIAL_THREAD;
  announce(complete(operation(Op::BarrierResume, o, HEDDLE_PC)));
  return 0;
}

// ---- semaphores

namespace {

Object* semaphore_at(sem_t* s) { return find_object(raw(s), Kind::Semaphore); }

int failed_with(int error) {
  errno = error;
  return -1;
}

int timed_semaphore(sem_t* s, clockid_t clock, const timespec* at, uint64_t pc) {
  if (!valid(at)) return failed_with(EINVAL);
  if (announce(complete(operation(Op::SemTimedWait, semaphore_at(s), pc), raw(at), (uint64_t)clock))) return 0;
  waited_until(clock, *at);
  return failed_with(ETIMEDOUT);
}

}  // namespace

HEDDLE_EXPORT int sem_init(sem_t* s, int shared, unsigned value) {
  if (passive()) return REAL(sem_init)(s, shared, value);
  announce(complete(operation(Op::SemInit, semaphore_at(s), HEDDLE_PC, value)));
  return 0;
}
HEDDLE_EXPORT int sem_destroy(sem_t* s) {
  return passive() ? REAL(sem_destroy)(s) : announce(complete(operation(Op::SemDestroy, semaphore_at(s), HEDDLE_PC)));
}
HEDDLE_EXPORT int sem_wait(sem_t* s) {
  if (passive()) return REAL(sem_wait)(s);
  announce(complete(operation(Op::SemWait, semaphore_at(s), HEDDLE_PC)));
  return 0;
}
HEDDLE_EXPORT int sem_trywait(sem_t* s) {
  if (passive()) return REAL(sem_trywait)(s);
  return announce(complete(operation(Op::SemTryWait, semaphore_at(s), HEDDLE_PC))) ? 0 : failed_with(EAGAIN);
}
HEDDLE_EXPORT int sem_timedwait(sem_t* s, const timespec* t) {
  if (passive()) return REAL(sem_timedwait)(s, t);
  library::caller_reads(t, sizeof *t, HEDDLE_PC);
  return timed_semaphore(s, CLOCK_REALTIME, t, HEDDLE_PC);
}
HEDDLE_EXPORT int sem_clockwait(sem_t* s, clockid_t c, const timespec* t) {
  if (passive()) return REAL(sem_clockwait)(s, c, t);
  library::caller_reads(t, sizeof *t, HEDDLE_PC);
  return timed_semaphore(s, c, t, HEDDLE_PC);
}
HEDDLE_EXPORT int sem_post(sem_t* s) {
  if (passive()) return REAL(sem_post)(s);
  announce(complete(operation(Op::SemPost, semaphore_at(s), HEDDLE_PC)));
  return 0;
}
HEDDLE_EXPORT int sem_getvalue(sem_t* s, int* value) {
  if (passive()) return REAL(sem_getvalue)(s, value);
  announce(complete(operation(Op::SemGetValue, semaphore_at(s), HEDDLE_PC), raw(value)));
  library::caller_wrote(value, sizeof *value, HEDDLE_PC);
  *value = (int)self().pending.argument;
  return 0;
}
HEDDLE_EXPORT sem_t* sem_open(const char* name, int flags, ...) {
  va_list list;
  va_start(list, flags);
  unsigned mode = va_arg(list, unsigned), value = va_arg(list, unsigned);
  va_end(list);
  if (passive()) return REAL(sem_open)(name, flags, mode, value);
  unsupported("sem_open", HEDDLE_PC);
}

// ---- futexes: std::atomic::wait, latch, barrier, semaphore and future come here through syscall()

namespace {

long futex_wait(uint32_t* word, uint32_t expected, const timespec* timeout, bool absolute, clockid_t clock, uint64_t pc) {
  PendingOp p = operation(Op::FutexWait, find_object(raw(word), Kind::Atomic), pc, expected);
  p = complete(p, raw(timeout), absolute, (uint64_t)clock);
  p.address = raw(word);
  p.size = 4;
  set_timed(p, timeout != nullptr);
  if (!announce(p)) return failed_with(EAGAIN);
  p.op = Op::FutexResume;
  p.size = other_ways_out(p.timed);
  if (announce(p) != 1) return 0;
  count_timeout(pc);
  if (absolute) waited_until(clock, *timeout);
  else waited_for(nanoseconds(*timeout));
  return failed_with(ETIMEDOUT);
}

long futex_wake(uint32_t* word, uint64_t count, uint64_t pc) {
  PendingOp p = complete(operation(Op::FutexWake, find_object(raw(word), Kind::Atomic), pc, count));
  p.address = raw(word);
  p.size = 4;
  return announce(p);
}

long futex(uint64_t word, uint64_t command, uint64_t value, uint64_t timeout, uint64_t pc) {
  refuse_foreign_futex(pc);
  auto* at = reinterpret_cast<uint32_t*>(word);
  auto* time = reinterpret_cast<const timespec*>(timeout);
  switch (command & 127) {
    case FUTEX_WAIT: return futex_wait(at, (uint32_t)value, time, false, CLOCK_MONOTONIC, pc);
    case FUTEX_WAIT_BITSET:
      return futex_wait(at, (uint32_t)value, time, true, command & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, pc);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: return futex_wake(at, value, pc);
    default: unsupported("futex", pc, "with an operation other than wait and wake");
  }
}

}  // namespace

HEDDLE_EXPORT long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& x : a) x = va_arg(list, long);
  va_end(list);
  if (!passive() && number == __NR_futex) return futex((uint64_t)a[0], (uint64_t)a[1], (uint64_t)a[2], (uint64_t)a[3], HEDDLE_PC);
  if (running() && number == __NR_kill) return kill((int)a[0], (int)a[1]);
  if (!passive() && number == __NR_gettid) return R().segment->target_pid + self().slot;
  library::before_system_call(number, a, HEDDLE_PC);
  const long result = REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  library::after_system_call(number, a, result, HEDDLE_PC);
  return result;
}
