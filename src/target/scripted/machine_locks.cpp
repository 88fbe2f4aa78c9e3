// Mutexes and rwlocks.
#include "target/scripted/machine.h"

namespace heddle::scripted {

int Machine::lock(int thread, const Instruction& i, int alternative) {
  Mutex& m = mutexes_.at(index(object_of(thread, i)));
  Thread& t = threads_[index(thread)];
  if (i.code == Code::Unlock) return unlock(thread, m);
  const bool taken = m.owner == -1;
  if (taken) {
    m.owner = thread;
    if (watch_races_) watch_.acquire(thread, m.clock);
  } else if (i.code == Code::Lock) {
    stop(wire::ReportKind::LockMisuse, thread, "relock of a mutex by the thread that holds it");
  }
  if (i.code == Code::Lock) return 0;
  t.reg[i.reg] = taken;
  return i.code == Code::TimedLock ? alternative : taken;
}

int Machine::unlock(int thread, Mutex& m) {
  if (m.owner != thread) {
    stop(wire::ReportKind::LockMisuse, thread, "unlock of a mutex that the thread does not hold");
    return 0;
  }
  m.owner = -1;
  if (watch_races_) watch_.release(thread, m.clock);
  return 0;
}

int Machine::rwlock(int thread, const Instruction& i) {
  Rwlock& l = rwlocks_.at(index(object_of(thread, i)));
  Thread& t = threads_[index(thread)];
  const bool readable = l.writer == -1 && !l.readers.has(thread);
  const bool writable = l.writer == -1 && l.readers.empty();
  switch (i.code) {
    case Code::RwUnlock:
      if (l.writer == thread) {
        l.writer = -1;
        if (watch_races_) watch_.release(thread, l.clock);
      } else if (l.readers.has(thread)) {
        l.readers.remove(thread);
        if (watch_races_) watch_.release(thread, l.read_clock);
      } else {
        stop(wire::ReportKind::LockMisuse, thread, "unlock of a rwlock that the thread does not hold");
      }
      return 0;
    case Code::ReadLock: case Code::TryReadLock:
      if (i.code == Code::TryReadLock) t.reg[i.reg] = readable;
      if (readable) {
        l.readers.add(thread);
        if (watch_races_) watch_.acquire(thread, l.clock);
      } else if (i.code == Code::ReadLock) {
        stop(wire::ReportKind::LockMisuse, thread, "second read lock of a rwlock by one thread");
      }
      return i.code == Code::TryReadLock && readable;
    default:
      if (i.code == Code::TryWriteLock) t.reg[i.reg] = writable;
      if (writable) {
        l.writer = thread;
        if (watch_races_) watch_.acquire(thread, l.clock), watch_.acquire(thread, l.read_clock);
      }
      return i.code == Code::TryWriteLock && writable;
  }
}

}  // namespace heddle::scripted
