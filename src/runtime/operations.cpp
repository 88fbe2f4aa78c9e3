// What each operation means: when it is enabled, and what it does to the modelled objects and to happens-before.
#include <errno.h>

#include "runtime/runtime.h"

namespace heddle::rt {
namespace {

using wire::kNobody;
using wire::kNoThread;

constexpr AlternativeSet kNever{};
constexpr AlternativeSet only(int alternative) {
  AlternativeSet s;
  s.add(alternative);
  return s;
}
constexpr AlternativeSet kAlways = only(0);

AlternativeSet when(bool condition) { return condition ? kAlways : kNever; }

// Alternative 0 takes what is available; 1 gives up on what is not.
AlternativeSet take_or_time_out(bool available) { return only(available ? 0 : 1); }

bool mutex_available(const Thread& t, const Object& m) {
  return m.owner == kNoThread || m.owner == t.slot;  // relocking never sleeps in the model: it is an error or counts up
}

// Here relocking does sleep: a normal mutex that the thread itself holds is not given back in time.
bool timed_lock_available(const Thread& t, const Object& m) {
  return mutex_available(t, m) && (m.owner == kNoThread || m.type != MutexType::Normal);
}

bool readable(const Object& l) { return l.owner == kNoThread; }
bool writable(const Object& l) { return l.owner == kNoThread && l.readers.empty(); }

AlternativeSet resume_alternatives(const Thread& t, bool lock_free) {
  AlternativeSet s;
  if (!lock_free) return s;
  if (t.woken) return kAlways;
  if (t.pending.timed) s.add(1);
  if (R().segment->options.spurious_wakeups) s.add(2);
  return s;
}

AlternativeSet wake_alternatives(const Object& o, uint64_t how_many) {
  int sleeping = o.waiters.count();
  if (sleeping == 0 || how_many >= (uint64_t)sleeping) return only(sleeping == 1 ? o.waiters.next() : kNobody);
  return o.waiters;
}

AlternativeSet choose_alternatives(uint64_t n) {
  AlternativeSet s;
  for (uint64_t i = 0; i < n && i < wire::kMaxAlternatives; ++i) s.add((int)i);
  return s;
}

void misuse(const Thread& t, const char* text) { stop_with(wire::ReportKind::LockMisuse, t.pending.pc, text); }

void take_mutex(Thread& t, Object& m) {
  if (m.owner == t.slot) {
    ++m.count;
    return;
  }
  m.owner = t.slot;
  m.count = 1;
  m.taken_pc = t.pending.pc;
  acquire(t, m.clock);
}

void drop_mutex(Thread& t, Object& m) {
  m.owner = kNoThread;
  m.count = 0;
  release(t, m.clock);
}

uint8_t lock_mutex(Thread& t, Object& m) {
  if (m.destroyed) misuse(t, "lock of a mutex that has been destroyed");
  if (m.owner == t.slot) {
    if (m.type == MutexType::ErrorCheck) return EDEADLK;
    if (m.type == MutexType::Normal) misuse(t, "relock of a normal mutex by the thread that holds it: it would wait for itself");
    if (m.type == MutexType::Spin) misuse(t, "relock of a spinlock by the thread that holds it: it would wait for itself");
  }
  take_mutex(t, m);
  return 0;
}

uint8_t try_mutex(Thread& t, Object& m) {
  if (m.destroyed) misuse(t, "trylock of a mutex that has been destroyed");
  bool can = m.owner == kNoThread || (m.owner == t.slot && m.type == MutexType::Recursive);
  if (can) take_mutex(t, m);
  return can;
}

uint8_t unlock_mutex(Thread& t, Object& m) {
  if (m.destroyed) misuse(t, "unlock of a mutex that has been destroyed");
  if (m.owner != t.slot) {
    if (m.type == MutexType::ErrorCheck || m.type == MutexType::Recursive) return EPERM;
    misuse(t, m.owner == kNoThread ? "unlock of a mutex that nobody holds" : "unlock of a mutex that another thread holds");
  }
  if (--m.count == 0) drop_mutex(t, m);
  return 0;
}

void destroy(Thread& t, Object& o, bool in_use, const char* text) {
  if (in_use) misuse(t, text);
  o.destroyed = 1;
}

void take_read(Thread& t, Object& l) {
  if (l.readers.empty()) l.taken_pc = t.pending.pc;
  l.readers.add(t.slot);
  ++l.read_depth[t.slot];
  acquire(t, l.clock);
}

void take_write(Thread& t, Object& l) {
  l.owner = t.slot;
  l.taken_pc = t.pending.pc;
  acquire(t, l.clock);
  acquire(t, l.read_clock);
}

void unlock_rwlock(Thread& t, Object& l) {
  if (l.owner == t.slot) {
    l.owner = kNoThread;
    release(t, l.clock);
  } else if (l.readers.has(t.slot)) {
    if (--l.read_depth[t.slot] == 0) l.readers.remove(t.slot);
    release(t, l.read_clock);
  } else {
    misuse(t, "unlock of a rwlock that this thread does not hold");
  }
}

void queue_up(Thread& t, Object& o) {
  o.waiters.add(t.slot);
  t.woken = 0;
}

void wake(Thread& by, Object& o, int slot) {
  o.waiters.remove(slot);
  Thread& t = R().threads[slot];
  t.woken = 1;
  clock_copy(t.woken_clock, by.clock);
}

uint8_t wake_some(Thread& t, Object& o, uint8_t alternative, uint64_t how_many) {
  uint8_t woken = 0;
  if (alternative != kNobody && how_many && o.waiters.has(alternative)) {
    wake(t, o, alternative);
    ++woken;
  }
  for (int s = o.waiters.next(); s >= 0 && woken < how_many; s = o.waiters.next(s + 1)) {
    wake(t, o, s);
    ++woken;
  }
  tick(t);
  return woken;
}

void wait_on_condition(Thread& t) {
  Object& m = *t.pending.second;
  if (m.owner != t.slot) misuse(t, "wait on a condition variable without holding its mutex");
  if (t.pending.object->destroyed) misuse(t, "wait on a condition variable that has been destroyed");
  queue_up(t, *t.pending.object);
  t.pending.argument = m.count;
  drop_mutex(t, m);
}

void resume_from_condition(Thread& t, uint8_t alternative) {
  t.pending.object->waiters.remove(t.slot);
  take_mutex(t, *t.pending.second);
  t.pending.second->count = (uint32_t)t.pending.argument;
  if (alternative == 0) acquire(t, t.woken_clock);
}

uint8_t arrive(Thread& t, Object& b) {
  release(t, b.clock);
  if (++b.count < b.limit) {
    queue_up(t, b);
    return 0;
  }
  b.count = 0;
  ++b.generation;
  acquire(t, b.clock);
  for (int s = b.waiters.next(); s >= 0; s = b.waiters.next(s + 1)) {
    Thread& other = R().threads[s];
    b.waiters.remove(s);
    other.woken = 1;
    clock_copy(other.woken_clock, b.clock);
  }
  clock_clear(b.clock);
  return 1;
}

uint8_t begin_once(Thread& t, Object& o) {
  if (o.count == 2) {
    acquire(t, o.clock);
    return 0;
  }
  acquire(t, o.clock);
  o.count = 1;
  o.owner = t.slot;
  o.taken_pc = t.pending.pc;
  return 1;
}

uint8_t end_once(Thread& t, Object& o) {
  o.count = t.pending.argument ? 2 : 0;
  o.owner = kNoThread;
  release(t, o.clock);
  return t.pending.argument != 0;
}

uint8_t take_semaphore(Thread& t, Object& s) {
  --s.count;
  acquire(t, s.clock);
  return 1;
}

uint8_t wait_on_futex(Thread& t) {
  uint32_t now = __atomic_load_n(reinterpret_cast<uint32_t*>(t.pending.address), __ATOMIC_SEQ_CST);
  if (now != (uint32_t)t.pending.argument) return 0;
  queue_up(t, *t.pending.object);
  return 1;
}

uint8_t join(Thread& t) {
  Thread& other = R().threads[t.pending.argument];
  other.joined = 1;
  acquire(t, other.clock);
  return 1;
}

}  // namespace

bool depends_on_others(const PendingOp& p) {
  switch (p.op) {
    case Op::MutexLock: case Op::MutexTimedLock:
    case Op::RwReadLock: case Op::RwTimedReadLock: case Op::RwWriteLock: case Op::RwTimedWriteLock:
    case Op::CondResume: case Op::CondSignal:
    case Op::SemWait: case Op::SemTimedWait: case Op::BarrierResume: case Op::OnceBegin:
    case Op::FutexResume: case Op::FutexWake:
    case Op::ThreadJoin: case Op::Await: return true;
    case Op::Choose: return true;  // not on the others, but it has more than the one alternative
    case Op::AtomicCas: return p.timed && R().segment->options.weak_cas_fails;
    default: return false;
  }
}

bool depends_on_its_lock(Op op) { return op == Op::MutexLock || op == Op::RwReadLock || op == Op::RwWriteLock; }

AlternativeSet enabled_alternatives(const Thread& t) {
  const PendingOp& p = t.pending;
  if (!depends_on_others(p)) return kAlways;
  switch (p.op) {
    case Op::MutexLock: return when(mutex_available(t, *p.object));
    case Op::MutexTimedLock: return take_or_time_out(timed_lock_available(t, *p.object));
    case Op::RwReadLock: return when(readable(*p.object));
    case Op::RwTimedReadLock: return take_or_time_out(readable(*p.object));
    case Op::RwWriteLock: return when(writable(*p.object));
    case Op::RwTimedWriteLock: return take_or_time_out(writable(*p.object));
    case Op::CondResume: return resume_alternatives(t, p.second->owner == wire::kNoThread);
    case Op::CondSignal: return wake_alternatives(*p.object, 1);
    case Op::SemWait: return when(p.object->count > 0);
    case Op::SemTimedWait: return take_or_time_out(p.object->count > 0);
    case Op::BarrierResume: return when(t.woken);
    case Op::OnceBegin: return when(p.object->count != 1);
    case Op::FutexResume: return resume_alternatives(t, true);
    case Op::FutexWake: return wake_alternatives(*p.object, p.argument);
    case Op::ThreadJoin: return when(R().threads[p.argument].state == ThreadState::Finished);
    case Op::Choose: return choose_alternatives(p.argument);
    case Op::Await: return when(t.streak.changed);
    case Op::AtomicCas: {
      AlternativeSet s = kAlways;
      s.add(1);
      return s;
    }
    default: fatal("an operation that depends on others has no rule");
  }
}

void perform(Thread& t, uint8_t alternative) {
  PendingOp& p = t.pending;
  t.alternative = alternative;
  t.outcome = 0;
  switch (p.op) {
    case Op::Read:
    case Op::Write:
    case Op::AtomicLoad:
    case Op::AtomicStore:
    case Op::AtomicRmw:
    case Op::StateRead:
    case Op::StateWrite:
    case Op::AtomicCas:  // the fiber itself makes the access when it goes on
    case Op::ThreadCreate:  // the scheduler starts the child
    case Op::Exit: break;
    case Op::Choose: t.outcome = alternative; break;
    case Op::Await: stop_waiting(t); break;

    case Op::MutexInit: reset_object(*p.object); p.object->type = (MutexType)p.argument; break;
    case Op::MutexDestroy:
      destroy(t, *p.object, p.object->owner != wire::kNoThread, "destroying a locked mutex");
      break;
    case Op::MutexLock: t.outcome = lock_mutex(t, *p.object); break;
    case Op::MutexTryLock: t.outcome = try_mutex(t, *p.object); break;
    case Op::MutexTimedLock: t.outcome = alternative ? ETIMEDOUT : lock_mutex(t, *p.object); break;
    case Op::MutexUnlock: t.outcome = unlock_mutex(t, *p.object); break;

    case Op::RwInit: reset_object(*p.object); break;
    case Op::RwDestroy:
      destroy(t, *p.object, !writable(*p.object), "destroying a locked rwlock");
      break;
    case Op::RwReadLock:
    case Op::RwTimedReadLock:
      t.outcome = alternative;
      if (!alternative) take_read(t, *p.object);
      break;
    case Op::RwTryReadLock:
      t.outcome = readable(*p.object);
      if (t.outcome) take_read(t, *p.object);
      break;
    case Op::RwWriteLock:
    case Op::RwTimedWriteLock:
      t.outcome = alternative;
      if (!alternative) take_write(t, *p.object);
      break;
    case Op::RwTryWriteLock:
      t.outcome = writable(*p.object);
      if (t.outcome) take_write(t, *p.object);
      break;
    case Op::RwUnlock: unlock_rwlock(t, *p.object); break;

    case Op::CondInit: reset_object(*p.object); break;
    case Op::CondDestroy:
      destroy(t, *p.object, !p.object->waiters.empty(), "destroying a condition variable on which a thread waits");
      break;
    case Op::CondWait: wait_on_condition(t); break;
    case Op::CondResume:
      t.outcome = alternative;
      resume_from_condition(t, alternative);
      break;
    case Op::CondSignal: t.outcome = wake_some(t, *p.object, alternative, 1); break;
    case Op::CondBroadcast: t.outcome = wake_some(t, *p.object, kNobody, ~0ULL); break;

    case Op::SemInit: reset_object(*p.object); p.object->count = (uint32_t)p.argument; break;
    case Op::SemDestroy: p.object->destroyed = 1; break;
    case Op::SemWait:
    case Op::SemTimedWait: t.outcome = alternative ? 0 : take_semaphore(t, *p.object); break;
    case Op::SemTryWait: t.outcome = p.object->count ? take_semaphore(t, *p.object) : 0; break;
    case Op::SemPost:
      ++p.object->count;
      release(t, p.object->clock);
      break;
    case Op::SemGetValue: p.argument = p.object->count; break;

    case Op::BarrierInit: reset_object(*p.object); p.object->limit = (uint32_t)p.argument; break;
    case Op::BarrierDestroy:
      destroy(t, *p.object, !p.object->waiters.empty(), "destroying a barrier at which a thread waits");
      break;
    case Op::BarrierWait: t.outcome = arrive(t, *p.object); break;
    case Op::BarrierResume: acquire(t, t.woken_clock); break;

    case Op::OnceBegin: t.outcome = begin_once(t, *p.object); break;
    case Op::OnceEnd: t.outcome = end_once(t, *p.object); break;

    case Op::FutexWait: t.outcome = wait_on_futex(t); break;
    case Op::FutexResume:
      t.outcome = alternative;
      p.object->waiters.remove(t.slot);
      break;
    case Op::FutexWake: t.outcome = wake_some(t, *p.object, alternative, p.argument); break;

    case Op::ThreadJoin: join(t); break;
    case Op::ThreadTryJoin:
      if (R().threads[p.argument].state == ThreadState::Finished) t.outcome = join(t);
      break;
    case Op::kCount: fatal("operation out of range");
  }
}

uint8_t holder_of(const Thread& t) {
  const PendingOp& p = t.pending;
  switch (p.op) {
    case Op::MutexLock:
    case Op::RwReadLock:
    case Op::OnceBegin: return p.object->owner;
    case Op::RwWriteLock:
      if (p.object->owner != wire::kNoThread) return p.object->owner;
      return p.object->readers.count() == 1 ? (uint8_t)p.object->readers.next() : wire::kNoThread;
    case Op::CondResume: return t.woken ? p.second->owner : wire::kNoThread;
    case Op::ThreadJoin: return (uint8_t)p.argument;
    default: return wire::kNoThread;
  }
}

}  // namespace heddle::rt
