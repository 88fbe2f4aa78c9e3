// What threads meet at: semaphores, barriers, once-flags, and each other's beginning and end.
#include "target/scripted/machine.h"

namespace heddle::scripted {

int Machine::semaphore(int thread, const Instruction& i, int alternative) {
  Semaphore& s = semaphores_.at(index(object_of(thread, i)));
  Thread& t = threads_[index(thread)];
  if (i.code == Code::SemPost) {
    ++s.count;
    if (watch_races_) watch_.release(thread, s.clock);
    return 0;
  }
  if (i.code == Code::SemValue) {
    t.reg[i.reg] = s.count;
    return 0;
  }
  const bool taken = alternative == 0 && s.count > 0;
  if (taken) {
    --s.count;
    if (watch_races_) watch_.acquire(thread, s.clock);
  }
  if (i.code != Code::SemWait) t.reg[i.reg] = taken;
  return taken;
}

int Machine::arrive(int thread, const Instruction& i) {
  Barrier& b = barriers_.at(index(object_of(thread, i)));
  Thread& t = threads_[index(thread)];
  if (t.resuming) {
    if (watch_races_) watch_.acquire(thread, t.woken_clock);
    t.reg[i.reg] = 0;
    return 0;
  }
  if (watch_races_) watch_.release(thread, b.clock);
  if (++b.arrived < script_.barriers[index(object_of(thread, i))]) {
    b.waiters.add(thread);
    t.resuming = true;
    t.woken = false;
    return 0;
  }
  b.arrived = 0;
  if (watch_races_) watch_.acquire(thread, b.clock);
  for (int w = b.waiters.next(); w >= 0; w = b.waiters.next(w + 1)) {
    b.waiters.remove(w);
    threads_[index(w)].woken = true;
    threads_[index(w)].woken_clock = b.clock;
  }
  b.clock.clear();
  t.reg[i.reg] = 1;
  return 1;
}

int Machine::once(int thread, const Instruction& i) {
  Once& o = onces_.at(index(object_of(thread, i)));
  Thread& t = threads_[index(thread)];
  if (i.code == Code::OnceEnd) {
    o.state = Once::Done;
    if (watch_races_) watch_.release(thread, o.clock);
    return 1;
  }
  if (watch_races_) watch_.acquire(thread, o.clock);
  const bool runs = o.state == Once::Fresh;
  if (runs) o.state = Once::Running;
  t.reg[i.reg] = runs;
  return runs;
}

int Machine::thread_operation(int thread, const Instruction& i) {
  const int other = object_of(thread, i);
  Thread& o = threads_.at(index(other));
  if (i.code == Code::Create) {
    if (o.status != Status::Unborn) {
      stop(wire::ReportKind::Abort, thread, "thread created twice");
      return 0;
    }
    watch_.start(thread, other);
    start(other);
    return 0;
  }
  const bool finished = o.status == Status::Finished;
  o.joined |= finished;
  if (finished && watch_races_) watch_.acquire(thread, watch_.clock(other));
  if (i.code == Code::TryJoin) threads_[index(thread)].reg[i.reg] = finished;
  return finished;
}

}  // namespace heddle::scripted
