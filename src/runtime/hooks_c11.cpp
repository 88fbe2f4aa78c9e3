// C11 <threads.h>: in glibc mtx_t, cnd_t, thrd_t and tss_t are their pthread counterparts.
#include <errno.h>
#include <threads.h>

#include "runtime/hooks.h"
#include "runtime/library/library.h"
#include "runtime/real.h"

using namespace heddle::rt;

namespace {

int status_of(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
  }
}

}  // namespace

HEDDLE_EXPORT int thrd_create(thrd_t* t, thrd_start_t start, void* argument) {
  if (passive()) return REAL(thrd_create)(t, start, argument);
  library::caller_writes(t, sizeof *t, HEDDLE_PC);
  // An int is returned in the low half of the register that a pointer is returned in: thrd_join takes it from there.
  auto untyped = reinterpret_cast<void (*)()>(start);
  return status_of(thread_create(t, reinterpret_cast<void* (*)(void*)>(untyped), argument, false, HEDDLE_PC));
}
HEDDLE_EXPORT int thrd_join(thrd_t t, int* result) {
  if (passive()) return REAL(thrd_join)(t, result);
  void* value = nullptr;
  int error = thread_join(t, &value, HEDDLE_PC);
  if (!error) library::caller_wrote(result, sizeof *result, HEDDLE_PC);
  if (!error && result) *result = (int)reinterpret_cast<intptr_t>(value);
  return status_of(error);
}
HEDDLE_EXPORT int thrd_detach(thrd_t t) { return passive() ? REAL(thrd_detach)(t) : status_of(thread_detach(t)); }
HEDDLE_EXPORT void thrd_yield(void) {
  if (passive()) REAL(thrd_yield)();
}
extern "C" void pthread_exit(void*);
HEDDLE_EXPORT void thrd_exit(int result) {
  if (passive()) REAL(thrd_exit)(result);
  pthread_exit(reinterpret_cast<void*>((intptr_t)result));
  __builtin_unreachable();
}
HEDDLE_EXPORT int thrd_sleep(const timespec* duration, timespec* left) {
  if (passive()) return REAL(thrd_sleep)(duration, left);
  library::caller_reads(duration, sizeof *duration, HEDDLE_PC);
  if (!valid(duration)) return -2;
  waited_for(nanoseconds(*duration));
  return 0;
}

HEDDLE_EXPORT int mtx_init(mtx_t* m, int type) {
  if (passive()) return REAL(mtx_init)(m, type);
  return status_of(mutex_init(m, type & mtx_recursive ? MutexType::Recursive : MutexType::Normal, HEDDLE_PC));
}
HEDDLE_EXPORT void mtx_destroy(mtx_t* m) {
  if (passive()) REAL(mtx_destroy)(m);
  else mutex_destroy(m, HEDDLE_PC);
}
HEDDLE_EXPORT int mtx_lock(mtx_t* m) { return passive() ? REAL(mtx_lock)(m) : status_of(mutex_lock(m, HEDDLE_PC)); }
HEDDLE_EXPORT int mtx_trylock(mtx_t* m) { return passive() ? REAL(mtx_trylock)(m) : status_of(mutex_trylock(m, HEDDLE_PC)); }
HEDDLE_EXPORT int mtx_timedlock(mtx_t* m, const timespec* t) {
  if (passive()) return REAL(mtx_timedlock)(m, t);
  library::caller_reads(t, sizeof *t, HEDDLE_PC);
  return status_of(mutex_timedlock(m, CLOCK_REALTIME, t, HEDDLE_PC));
}
HEDDLE_EXPORT int mtx_unlock(mtx_t* m) { return passive() ? REAL(mtx_unlock)(m) : status_of(mutex_unlock(m, HEDDLE_PC)); }

HEDDLE_EXPORT int cnd_init(cnd_t* c) { return passive() ? REAL(cnd_init)(c) : status_of(cond_init(c, HEDDLE_PC)); }
HEDDLE_EXPORT void cnd_destroy(cnd_t* c) {
  if (passive()) REAL(cnd_destroy)(c);
  else cond_destroy(c, HEDDLE_PC);
}
HEDDLE_EXPORT int cnd_signal(cnd_t* c) { return passive() ? REAL(cnd_signal)(c) : status_of(cond_signal(c, HEDDLE_PC)); }
HEDDLE_EXPORT int cnd_broadcast(cnd_t* c) { return passive() ? REAL(cnd_broadcast)(c) : status_of(cond_broadcast(c, HEDDLE_PC)); }
HEDDLE_EXPORT int cnd_wait(cnd_t* c, mtx_t* m) {
  return passive() ? REAL(cnd_wait)(c, m) : status_of(cond_wait(c, m, CLOCK_REALTIME, nullptr, HEDDLE_PC));
}
HEDDLE_EXPORT int cnd_timedwait(cnd_t* c, mtx_t* m, const timespec* t) {
  if (passive()) return REAL(cnd_timedwait)(c, m, t);
  library::caller_reads(t, sizeof *t, HEDDLE_PC);
  if (!valid(t)) return thrd_error;
  return status_of(cond_wait(c, m, CLOCK_REALTIME, t, HEDDLE_PC));
}

HEDDLE_EXPORT int tss_create(tss_t* k, tss_dtor_t d) {
  if (passive()) return REAL(tss_create)(k, d);
  library::caller_writes(k, sizeof *k, HEDDLE_PC);
  return status_of(key_create(k, d));
}
HEDDLE_EXPORT void tss_delete(tss_t k) {
  if (passive()) REAL(tss_delete)(k);
  else key_delete(k);
}
HEDDLE_EXPORT int tss_set(tss_t k, void* v) { return passive() ? REAL(tss_set)(k, v) : status_of(key_set(k, v)); }
HEDDLE_EXPORT void* tss_get(tss_t k) { return passive() ? REAL(tss_get)(k) : key_get(k); }
HEDDLE_EXPORT void call_once(once_flag* f, void (*initialiser)(void)) {
  if (passive()) REAL(call_once)(f, initialiser);
  else heddle_once(raw(f), initialiser, HEDDLE_PC);
}
