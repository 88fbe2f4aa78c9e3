// What a thread may do next: its operation, and the alternatives that it has now. None: it is blocked.
#include "target/scripted/machine.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::scripted {
namespace {

using wire::kNobody;
using wire::OpClass;

AlternativeSet only(int alternative) {
  AlternativeSet s;
  s.add(alternative);
  return s;
}
AlternativeSet when(bool condition) { return condition ? only(0) : AlternativeSet{}; }
AlternativeSet take_or_give_up(bool available) { return only(available ? 0 : 1); }

AlternativeSet wake_alternatives(const ThreadSet& waiters, int how_many) {
  const int sleeping = waiters.count();
  if (sleeping <= how_many) return only(sleeping == 1 ? waiters.next() : kNobody);
  return waiters;
}

Op op_of(Code code, bool resuming) {
  switch (code) {
    case Code::Load: return Op::Read;
    case Code::Store: return Op::Write;
    case Code::AtomicLoad: return Op::AtomicLoad;
    case Code::AtomicStore: return Op::AtomicStore;
    case Code::AtomicAdd: return Op::AtomicRmw;
    case Code::Cas: return Op::AtomicCas;
    case Code::Lock: return Op::MutexLock;
    case Code::TryLock: return Op::MutexTryLock;
    case Code::TimedLock: return Op::MutexTimedLock;
    case Code::Unlock: return Op::MutexUnlock;
    case Code::ReadLock: return Op::RwReadLock;
    case Code::WriteLock: return Op::RwWriteLock;
    case Code::TryReadLock: return Op::RwTryReadLock;
    case Code::TryWriteLock: return Op::RwTryWriteLock;
    case Code::RwUnlock: return Op::RwUnlock;
    case Code::CondWait: return resuming ? Op::CondResume : Op::CondWait;
    case Code::Signal: return Op::CondSignal;
    case Code::Broadcast: return Op::CondBroadcast;
    case Code::SemWait: return Op::SemWait;
    case Code::SemTryWait: return Op::SemTryWait;
    case Code::SemTimedWait: return Op::SemTimedWait;
    case Code::SemPost: return Op::SemPost;
    case Code::SemValue: return Op::SemGetValue;
    case Code::BarrierWait: return resuming ? Op::BarrierResume : Op::BarrierWait;
    case Code::OnceBegin: return Op::OnceBegin;
    case Code::OnceEnd: return Op::OnceEnd;
    case Code::FutexWait: return resuming ? Op::FutexResume : Op::FutexWait;
    case Code::FutexWake: return Op::FutexWake;
    case Code::Create: return Op::ThreadCreate;
    case Code::Join: return Op::ThreadJoin;
    case Code::TryJoin: return Op::ThreadTryJoin;
    case Code::AwaitChange: case Code::AwaitAny: return Op::Await;
    case Code::Choose: return Op::Choose;
    case Code::Exit: return Op::Exit;
    default: break;
  }
  HEDDLE_CHECK(false, "a local instruction is no operation");
}

bool is_memory(Op op) { return wire::op_class(op) == OpClass::Memory || wire::op_class(op) == OpClass::Futex; }

}  // namespace

Address variable_address(int i) { return wire::make_address(wire::Region::Module, 0, 0x1000 + 4 * static_cast<std::uint64_t>(i)); }
Address object_address(OpClass cls, int i) {
  if (cls == OpClass::Memory || cls == OpClass::Futex) return variable_address(i);
  if (cls == OpClass::Thread) return wire::make_address(wire::Region::Thread, static_cast<std::uint32_t>(i), 0);
  if (cls == OpClass::Choice || cls == OpClass::Process) return 0;
  return wire::make_address(wire::Region::Module, 0, (static_cast<std::uint64_t>(cls) << 24) + 64 * static_cast<std::uint64_t>(i));
}

AlternativeSet Machine::resume_alternatives(int thread, bool timed) const {
  if (threads_[index(thread)].woken) return only(0);
  AlternativeSet s;
  if (timed) s.add(1);
  if (script_.spurious_wakeups) s.add(2);
  return s;
}

bool Machine::is_spent(int thread) const {
  if (timeouts_ == 0) return false;
  const Thread& t = threads_[index(thread)];
  const auto place = t.timeouts.find(t.ip);
  return place != t.timeouts.end() && place->second >= timeouts_;
}

bool Machine::timeouts_are_spent() const {
  for (int t = 0; t < threads(); ++t) {
    const Thread& thread = threads_[index(t)];
    if (live(t) && thread.resuming && !thread.woken && at(t).timed && is_spent(t)) return true;
  }
  return false;
}

bool Machine::any_changed(const Thread& t, int variables) const {
  for (std::size_t x = 0; x < variables_.size() && x < kMostAwaited; ++x)
    if (variables >> x & 1 && variables_[x].version != t.versions[x]) return true;
  return false;
}

std::uint32_t Machine::operations_since(const Thread& t, int variables) {
  std::uint32_t first = t.operations;
  for (std::size_t x = 0; x < kMostAwaited; ++x)
    if (variables >> x & 1) first = std::min(first, t.read_at[x]);
  return t.operations - first + 1;
}

AlternativeSet Machine::alternatives(int thread) const {
  const Thread& t = threads_[index(thread)];
  const Instruction& i = at(thread);
  const int o = object_of(thread, i);
  auto mutex_free = [&](int m) { return mutexes_[index(m)].owner == -1; };
  switch (i.code) {
    case Code::Lock: return when(mutex_free(o) || mutexes_[index(o)].owner == thread);  // relocking is misuse, not waiting
    case Code::TimedLock: return take_or_give_up(mutex_free(o));
    case Code::ReadLock: return when(rwlocks_[index(o)].writer == -1);
    case Code::WriteLock: return when(rwlocks_[index(o)].writer == -1 && rwlocks_[index(o)].readers.empty());
    case Code::CondWait:
      if (!t.resuming) return only(0);
      return mutex_free(i.other) ? resume_alternatives(thread, is_timed(thread, i)) : AlternativeSet{};
    case Code::Signal: return wake_alternatives(conditions_[index(o)].waiters, 1);
    case Code::SemWait: return when(semaphores_[index(o)].count > 0);
    case Code::SemTimedWait: return take_or_give_up(semaphores_[index(o)].count > 0);
    case Code::BarrierWait: return when(!t.resuming || t.woken);
    case Code::OnceBegin: return when(onces_[index(o)].state != Once::Running);
    case Code::FutexWait: return t.resuming ? resume_alternatives(thread, is_timed(thread, i)) : only(0);
    case Code::FutexWake: return wake_alternatives(variables_[index(o)].waiters, i.value);
    case Code::Join: return when(threads_[index(o)].status == Status::Finished);
    case Code::AwaitChange: return when(t.watched != o || has_changed(t));
    case Code::AwaitAny: return when(any_changed(t, i.value));
    case Code::Choose: {
      AlternativeSet s;
      for (int a = 0; a < i.value; ++a) s.add(a);
      return s;
    }
    default: return only(0);
  }
}

wire::OpView Machine::next(int thread) const {
  const Thread& t = threads_[index(thread)];
  const Instruction& i = at(thread);
  wire::OpView v;
  v.thread = static_cast<std::uint8_t>(thread);
  v.op = op_of(i.code, t.resuming);
  const int o = object_of(thread, i);
  v.object = object_address(wire::op_class(v.op), o);
  if (is_memory(v.op)) v.size = 4;
  if (i.code == Code::AwaitAny) {  // as the runtime: no single location
    v.object = v.size = 0;
    v.argument = operations_since(threads_[index(thread)], i.value);
  }
  if (v.op == Op::CondWait || v.op == Op::CondResume) v.argument = object_address(OpClass::Mutex, i.other);
  if (v.op == Op::CondResume || v.op == Op::FutexResume) v.size = (is_timed(thread, i) ? 2u : 0u) | (script_.spurious_wakeups ? 4u : 0u);
  if (wire::op_class(v.op) == OpClass::Semaphore) v.size = static_cast<std::uint32_t>(semaphores_[index(o)].count);
  return v;
}

Pending Machine::pending(int thread) const {
  const wire::OpView v = next(thread);
  Pending p;
  p.thread = v.thread;
  p.op = v.op;
  p.size = v.size;
  p.object = v.object;
  p.argument = v.argument;
  p.pc = pc(thread);
  p.alternatives = alternatives(thread);
  p.enabled = !p.alternatives.empty();
  if (v.op == Op::AtomicCas) {
    p.argument = told_value(thread, at(thread));
    p.outcome = !would_fail(thread);
  }
  const int o = object_of(thread, at(thread));
  if (v.op == Op::MutexLock) p.holder = static_cast<std::uint8_t>(mutexes_[index(o)].owner);
  if (v.op == Op::ThreadJoin) p.holder = static_cast<std::uint8_t>(o);
  return p;
}

}  // namespace heddle::scripted
