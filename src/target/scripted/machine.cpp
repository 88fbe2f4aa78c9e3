#include "target/scripted/machine.h"

#include <cstdio>
#include <cstring>

#include "base/check.h"

namespace heddle::scripted {
namespace {

using wire::kNobody;
using wire::OpClass;

constexpr int kLocalSteps = 100'000;  // a thread that runs on without any operation is a mistake in the script

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
    case Code::AwaitChange: return Op::Await;
    case Code::Choose: return Op::Choose;
    case Code::Exit: return Op::Exit;
    default: break;
  }
  HEDDLE_CHECK(false, "a local instruction is no operation");
}

bool holds(Test test, int a, int b) {
  switch (test) {
    case Test::Equal: return a == b;
    case Test::NotEqual: return a != b;
    case Test::Less: return a < b;
  }
  return false;
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

Machine::Machine(const Script& script, bool watch_races) : script_(script), watch_races_(watch_races) {
  created_by_other_.assign(script.threads.size(), false);
  for (const ThreadScript& t : script.threads)
    for (const Instruction& i : t.code)
      if (i.code == Code::Create) created_by_other_.at(index(i.object)) = true;
}

void Machine::reset() {
  threads_.assign(script_.threads.size(), {});
  variables_.assign(script_.variables.size(), {});
  for (std::size_t i = 0; i < variables_.size(); ++i) variables_[i].value = script_.variables[i];
  mutexes_.assign(index(script_.mutexes), {});
  rwlocks_.assign(index(script_.rwlocks), {});
  conditions_.assign(index(script_.conditions), {});
  semaphores_.assign(script_.semaphores.size(), {});
  for (std::size_t i = 0; i < semaphores_.size(); ++i) semaphores_[i].count = script_.semaphores[i];
  barriers_.assign(script_.barriers.size(), {});
  onces_.assign(index(script_.onces), {});
  reports_.clear();
  steps_ = 0;
  live_count_ = created_ = 0;
  exited_ = stopped_ = false;
  watch_.reset(threads(), static_cast<int>(variables_.size()));
  for (int t = 0; t < threads() && !stopped_; ++t)
    if (!created_by_other_[index(t)]) start(t);
}

const Instruction& Machine::at(int thread) const {
  return script_.threads[index(thread)].code[index(threads_[index(thread)].ip)];
}

int Machine::object_of(int thread, const Instruction& i) const {
  return i.object + (i.index == kNoRegister ? 0 : threads_[index(thread)].reg[i.index]);
}

int Machine::value_of(int thread, const Instruction& i) const {
  return i.value + (i.from == kNoRegister ? 0 : threads_[index(thread)].reg[i.from]);
}

Address Machine::pc(int thread) const {
  return wire::make_address(wire::Region::Module, 1,
                            static_cast<std::uint64_t>(thread) << 16 | static_cast<std::uint64_t>(threads_[index(thread)].ip));
}

AlternativeSet Machine::resume_alternatives(int thread, bool timed) const {
  if (threads_[index(thread)].woken) return only(0);
  AlternativeSet s;
  if (timed) s.add(1);
  if (script_.spurious_wakeups) s.add(2);
  return s;
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
      return mutex_free(i.other) ? resume_alternatives(thread, i.timed) : AlternativeSet{};
    case Code::Signal: return wake_alternatives(conditions_[index(o)].waiters, 1);
    case Code::SemWait: return when(semaphores_[index(o)].count > 0);
    case Code::SemTimedWait: return take_or_give_up(semaphores_[index(o)].count > 0);
    case Code::BarrierWait: return when(!t.resuming || t.woken);
    case Code::OnceBegin: return when(onces_[index(o)].state != Once::Running);
    case Code::FutexWait: return t.resuming ? resume_alternatives(thread, i.timed) : only(0);
    case Code::FutexWake: return wake_alternatives(variables_[index(o)].waiters, i.value);
    case Code::Join: return when(threads_[index(o)].status == Status::Finished);
    case Code::AwaitChange: return when(variables_[index(o)].version != t.version);
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
  if (v.op == Op::CondWait || v.op == Op::CondResume) v.argument = object_address(OpClass::Mutex, i.other);
  if (v.op == Op::CondResume || v.op == Op::FutexResume) v.size = (i.timed ? 2u : 0u) | (script_.spurious_wakeups ? 4u : 0u);
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
  const int o = object_of(thread, at(thread));
  if (v.op == Op::MutexLock) p.holder = static_cast<std::uint8_t>(mutexes_[index(o)].owner);
  if (v.op == Op::ThreadJoin) p.holder = static_cast<std::uint8_t>(o);
  return p;
}

void Machine::perform(int thread, int alternative, Event& event) {
  const wire::OpView v = next(thread);
  event.thread = v.thread;
  event.op = v.op;
  event.alternative = static_cast<std::uint8_t>(alternative);
  event.size = v.size;
  event.object = v.object;
  event.argument = v.argument;
  event.pc = pc(thread);
  ++steps_;
  Thread& t = threads_[index(thread)];
  const bool was_resuming = t.resuming;
  const Instruction& i = at(thread);
  event.outcome = static_cast<std::uint8_t>(apply(thread, i, alternative));
  if (stopped_ || exited_) return finish(thread);
  if (t.resuming && !was_resuming) return;  // the second half is the next operation
  t.resuming = false;
  ++t.ip;
  advance(thread);
}

int Machine::apply(int thread, const Instruction& i, int alternative) {
  Thread& t = threads_[index(thread)];
  switch (i.code) {
    case Code::Load: case Code::Store: case Code::AtomicLoad: case Code::AtomicStore: case Code::AtomicAdd: case Code::Cas:
      return access(thread, i);
    case Code::Lock: case Code::TryLock: case Code::TimedLock: case Code::Unlock: return lock(thread, i, alternative);
    case Code::ReadLock: case Code::WriteLock: case Code::TryReadLock: case Code::TryWriteLock: case Code::RwUnlock:
      return rwlock(thread, i);
    case Code::CondWait: case Code::Signal: case Code::Broadcast: return condition(thread, i, alternative);
    case Code::SemWait: case Code::SemTryWait: case Code::SemTimedWait: case Code::SemPost: case Code::SemValue:
      return semaphore(thread, i, alternative);
    case Code::BarrierWait: return arrive(thread, i);
    case Code::OnceBegin: case Code::OnceEnd: return once(thread, i);
    case Code::FutexWait: case Code::FutexWake: return futex(thread, i, alternative);
    case Code::Create: case Code::Join: case Code::TryJoin: return thread_operation(thread, i);
    case Code::Choose: t.reg[i.reg] = alternative; return alternative;
    case Code::Exit: exited_ = true; return 0;
    default: return 0;  // AwaitChange
  }
}

void Machine::write(Variable& v, std::int32_t value) {
  if (v.value != value) ++v.version;
  v.value = value;
}

int Machine::access(int thread, const Instruction& i) {
  Thread& t = threads_[index(thread)];
  const int x = object_of(thread, i);
  Variable& v = variables_.at(index(x));
  const bool atomic = i.code != Code::Load && i.code != Code::Store;
  const std::int32_t old = v.value;
  const bool exchanged = i.code == Code::Cas && old == i.other;
  const bool writes = i.code == Code::Store || i.code == Code::AtomicStore || i.code == Code::AtomicAdd || exchanged;
  if (watch_races_) {
    const bool reads = i.code != Code::Store && i.code != Code::AtomicStore;
    if (atomic && reads) watch_.acquire(thread, v.clock);
    watch_.access(thread, x, writes, atomic, variable_address(x), pc(thread), steps_, reports_);
    if (atomic && writes) watch_.release(thread, v.clock);
  }
  switch (i.code) {
    case Code::Load: case Code::AtomicLoad: t.reg[i.reg] = old; break;
    case Code::AtomicAdd: t.reg[i.reg] = old; write(v, old + value_of(thread, i)); break;
    case Code::Cas:
      t.reg[i.reg] = exchanged;
      if (exchanged) write(v, value_of(thread, i));
      break;
    default: write(v, value_of(thread, i));
  }
  t.version = v.version;
  return exchanged;
}

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
  c.waiters.add(thread);
  t.resuming = true;
  t.woken = false;
  return 0;
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
  return alternative;
}

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

int Machine::futex(int thread, const Instruction& i, int alternative) {
  Variable& v = variables_.at(index(object_of(thread, i)));
  Thread& t = threads_[index(thread)];
  if (i.code == Code::FutexWake) return wake(thread, v.waiters, alternative, i.value);
  if (t.resuming) {
    v.waiters.remove(thread);
    t.reg[i.reg] = alternative;
    return alternative;
  }
  t.reg[i.reg] = -1;
  if (v.value != i.other) return 0;
  v.waiters.add(thread);
  t.resuming = true;
  t.woken = false;
  return 1;
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
  if (finished && watch_races_) watch_.acquire(thread, watch_.clock(other));
  if (i.code == Code::TryJoin) threads_[index(thread)].reg[i.reg] = finished;
  return finished;
}

void Machine::start(int thread) {
  threads_[index(thread)].status = Status::Live;
  ++live_count_;
  ++created_;
  advance(thread);
}

void Machine::finish(int thread) {
  if (!live(thread)) return;
  threads_[index(thread)].status = Status::Finished;
  --live_count_;
}

void Machine::advance(int thread) {
  Thread& t = threads_[index(thread)];
  const auto& code = script_.threads[index(thread)].code;
  for (int n = 0; !stopped_; ++n) {
    HEDDLE_CHECK(n < kLocalSteps, "a scripted thread loops without any operation");
    if (t.ip >= static_cast<int>(code.size())) return finish(thread);
    if (!local(thread, code[index(t.ip)])) return;
  }
}

bool Machine::local(int thread, const Instruction& i) {
  Thread& t = threads_[index(thread)];
  switch (i.code) {
    case Code::Set: t.reg[i.reg] = i.value; break;
    case Code::Add: t.reg[i.reg] += i.value; break;
    case Code::Multiply: t.reg[i.reg] *= i.value; break;
    case Code::Modulo: t.reg[i.reg] %= i.value; break;
    case Code::Jump: t.ip = i.object; return true;
    case Code::JumpIf:
      t.ip = holds(i.test, t.reg[i.reg], i.value) ? i.object : t.ip + 1;
      return true;
    case Code::Assert:
      if (!holds(i.test, t.reg[i.reg], i.value)) stop(wire::ReportKind::Assertion, thread, "assertion", i.other);
      break;
    default: return false;
  }
  ++t.ip;
  return true;
}

void Machine::stop(wire::ReportKind kind, int thread, const char* text, int number) {
  stopped_ = true;
  finish(thread);
  wire::Report r;
  r.kind = kind;
  r.thread = static_cast<std::uint8_t>(thread);
  r.step = steps_;
  r.pc = pc(thread);
  r.text_length = static_cast<std::uint16_t>(std::snprintf(r.text, sizeof r.text, "%s %d", text, number));
  reports_.push_back(r);
}

std::string Machine::final_state() const {
  std::string text;
  for (const Variable& v : variables_) text += std::to_string(v.value) + ' ';
  for (const Semaphore& s : semaphores_) text += 's' + std::to_string(s.count) + ' ';
  for (const Thread& t : threads_) {
    text += '|';
    for (int r : t.reg) text += std::to_string(r) + ' ';
  }
  return text;
}

}  // namespace heddle::scripted
