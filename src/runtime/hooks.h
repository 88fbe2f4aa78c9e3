// Shared by the hooks_*.cpp files: building operations, virtual deadlines.
#pragma once
#include <time.h>

#include "runtime/runtime.h"
#include "runtime/timeouts.h"

namespace heddle::rt {

inline uint64_t raw(const void* p) { return reinterpret_cast<uint64_t>(p); }

inline PendingOp operation(Op op, Object* object, uint64_t pc) {
  PendingOp p{};
  p.op = op;
  p.object = object;
  p.pc = pc;
  return p;
}

inline PendingOp operation(Op op, Object* object, uint64_t pc, uint64_t argument) {
  PendingOp p = operation(op, object, pc);
  p.argument = argument;
  return p;
}

// An operation whose hook has nothing to remember but what is told here.
inline PendingOp complete(PendingOp p, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0) {
  p.rest = Rest::Program;
  p.operand[0] = a;
  p.operand[1] = b;
  p.operand[2] = c;
  return p;
}

// For the resume after a wait: which alternatives there are besides being woken.
inline uint32_t other_ways_out(bool timed) {
  return (timed ? wire::kMayTimeOut : 0) | (R().segment->options.spurious_wakeups ? wire::kMayWakeSpuriously : 0);
}

// Virtual clocks start here; `time` of a thread's clock counts from it.
inline constexpr uint64_t kRealtimeStart = 1'700'000'000'000'000'000ULL;
inline constexpr uint64_t kMonotonicStart = 1'000'000'000'000ULL;

inline bool valid(const timespec* t) { return t && t->tv_nsec >= 0 && t->tv_nsec < 1'000'000'000; }
inline uint64_t nanoseconds(const timespec& t) { return (uint64_t)t.tv_sec * 1'000'000'000ULL + (uint64_t)t.tv_nsec; }

// The thread has waited until an absolute time of the given clock.
inline void waited_until(clockid_t clock, const timespec& deadline) {
  uint64_t start = clock == CLOCK_REALTIME ? kRealtimeStart : kMonotonicStart;
  uint64_t at = nanoseconds(deadline);
  uint64_t time = at > start ? at - start : 0;
  if (time > self().clock.time) self().clock.time = time;
}

inline void waited_for(uint64_t ns) { self().clock.time += ns; }

// hooks_pthread.cpp; hooks_c11.cpp builds on them
Object* mutex_at(void* m, uint64_t pc);
Object* cond_at(void* c);
int mutex_init(void* m, MutexType type, uint64_t pc);
int mutex_destroy(void* m, uint64_t pc);
int mutex_lock(void* m, uint64_t pc);
int mutex_trylock(void* m, uint64_t pc);
int mutex_timedlock(void* m, clockid_t clock, const timespec* deadline, uint64_t pc);
int mutex_unlock(void* m, uint64_t pc);
int cond_init(void* c, uint64_t pc, clockid_t clock = CLOCK_REALTIME);
int cond_destroy(void* c, uint64_t pc);
int cond_signal(void* c, uint64_t pc);
int cond_broadcast(void* c, uint64_t pc);
int cond_wait(void* c, void* m, clockid_t clock, const timespec* deadline, uint64_t pc);  // no deadline: nullptr
int thread_create(unsigned long* handle, void* (*start)(void*), void* argument, bool detached, uint64_t pc);
int thread_join(unsigned long handle, void** result, uint64_t pc);
int thread_detach(unsigned long handle);
int key_create(unsigned* key, void (*destructor)(void*));
int key_delete(unsigned key);
int key_set(unsigned key, const void* value);
void* key_get(unsigned key);

}  // namespace heddle::rt

extern "C" void heddle_once(uint64_t address, void (*initialiser)(void), uint64_t pc);
