// Causality of condition variables and futexes: threads enter a queue, are woken, and resume. Who waits is a set: a signal may pick anybody.
#include "model/causality.h"

#include "model/causality_roles.h"

namespace heddle {

using namespace causality_roles;
using namespace wire::dependency;

void Causality::relate_queue(const OpView& v) {
  const ObjectHistory& q = objects_.at(wire::op_class(v.op), v.object);
  races_with(q.last);
  if (!enters(v.op)) {
    q.shared.each([&](std::uint32_t e) { races_with(e); });
    q.tries.each([&](std::uint32_t e) { races_with(e); });
    return;
  }
  if (v.op == Op::CondWait) relate_mutex(v.thread, kMutexGive, v.argument);
  else relate_read(v, v.object, bytes(v));
}

void Causality::relate_resume(const OpView& v) {
  const bool may_leave_by_itself = v.size != 0 || now_ < size();  // it has, unless it was woken
  const std::uint32_t waker = woken_by_[v.thread];
  if (v.alternative == 0) {
    if (v.size != 0) races_with(waker);
    else needs(waker);
  } else if (!may_leave_by_itself) {
    return;  // whom nobody wakes overtakes nobody
  } else {
    races_with(objects_.at(wire::op_class(v.op), v.object).last);
  }
  if (v.op == Op::CondResume) relate_mutex(v.thread, kMutexTake, v.argument);
}

void Causality::remember_queue(std::uint32_t i) {
  const Event& e = trace_->events[i];
  ObjectHistory& q = objects_.at(wire::op_class(e.op), e.object);
  if (wakes(e.op)) {
    const bool everybody = e.op == Op::CondBroadcast || (e.op == Op::FutexWake && e.outcome != 1);
    for (int t = q.queue.next(); t >= 0; t = q.queue.next(t + 1)) {
      if (!everybody && t != e.alternative) continue;
      q.queue.remove(t);
      woken_by_[static_cast<std::size_t>(t)] = i;
    }
    q.last = i;
    q.shared.clear();
    q.tries.clear();
    return;
  }
  if (enters(e.op)) {
    q.shared.put(i, e.thread);
    if (e.op == Op::CondWait || e.outcome == 1) {
      q.queue.add(e.thread);
      woken_by_[e.thread] = kNoEvent;
    }
    if (e.op == Op::CondWait) remember_mutex(i, kMutexGive, e.argument);
    else remember_memory(i);
    return;
  }
  if (resumes(e.op)) {
    q.queue.remove(e.thread);
    if (e.alternative != 0) q.tries.put(i, e.thread);
    if (e.op == Op::CondResume) remember_mutex(i, kMutexTake, e.argument);
    return;
  }
  q.last = i;  // Reset
  q.shared.clear();
  q.tries.clear();
}

}  // namespace heddle
