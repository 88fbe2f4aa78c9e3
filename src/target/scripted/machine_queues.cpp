// Condition variables and futexes: a wait is two operations, and a wake-up may pick anybody.
#include "target/scripted/machine.h"

namespace heddle::scripted {

using wire::kNobody;

int Machine::wake(int by, ThreadSet& waiters, int first, int how_many) {
  int woken = 0;
  auto wake_one = [&](int w) {
    waiters.remove(w);
    threads_[index(w)].woken = true;
    threads_[index(w)].woken_clock = watch_.clock(by);
    ++woken;
  };
  if (first != kNobody && how_many > 0 && waiters.has(first)) wake_one(first);
  for (int w = waiters.next(); w >= 0 && woken < how_many; w = waiters.next(w + 1)) wake_one(w);
  ++watch_.clock(by)[index(by)];
  return woken;
}

int Machine::condition(int thread, const Instruction& i, int alternative) {
  Thread& t = threads_[index(thread)];
  Condition& c = conditions_.at(index(object_of(thread, i)));
  if (i.code == Code::Signal) return wake(thread, c.waiters, alternative, 1);
  if (i.code == Code::Broadcast) return wake(thread, c.waiters, kNobody, wire::kMaxThreads);
  if (t.resuming) return resume_condition(thread, i, alternative);
  Mutex& m = mutexes_.at(index(i.other));
  if (m.owner != thread) {
    stop(wire::ReportKind::LockMisuse, thread, "wait on a condition variable without its mutex");
    return 0;
  }
  unlock(thread, m);
  begin_wait(thread, i, c.waiters);
  return 0;
}

void Machine::begin_wait(int thread, const Instruction& i, ThreadSet& waiters) {
  Thread& t = threads_[index(thread)];
  waiters.add(thread);
  t.resuming = true;
  t.woken = false;
  refused_timeout_ |= i.timed && is_spent(thread);
}

void Machine::count_timeout(int thread) {
  Thread& t = threads_[index(thread)];
  most_timeouts_ = std::max(most_timeouts_, ++t.timeouts[t.ip]);
}

int Machine::resume_condition(int thread, const Instruction& i, int alternative) {
  Thread& t = threads_[index(thread)];
  conditions_[index(object_of(thread, i))].waiters.remove(thread);
  Mutex& m = mutexes_[index(i.other)];
  m.owner = thread;
  if (watch_races_) {
    watch_.acquire(thread, m.clock);
    if (alternative == 0) watch_.acquire(thread, t.woken_clock);
  }
  t.reg[i.reg] = alternative;
  if (alternative == 1) count_timeout(thread);
  return alternative;
}

int Machine::futex(int thread, const Instruction& i, int alternative) {
  Variable& v = variables_.at(index(object_of(thread, i)));
  Thread& t = threads_[index(thread)];
  if (i.code == Code::FutexWake) return wake(thread, v.waiters, alternative, i.value);
  if (t.resuming) {
    v.waiters.remove(thread);
    t.reg[i.reg] = alternative;
    if (alternative == 1) count_timeout(thread);
    return alternative;
  }
  t.reg[i.reg] = -1;
  if (v.value != i.other) return 0;
  begin_wait(thread, i, v.waiters);
  return 1;
}

}  // namespace heddle::scripted
