// The frame: threads run their local instructions up to the next operation, which is handed to what knows its object: machine_memory,
// machine_locks, machine_queues, machine_meetings. What may come next is in machine_offers.
#include "target/scripted/machine.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/check.h"
#include "model/views.h"

namespace heddle::scripted {
namespace {

constexpr int kLocalSteps = 100'000;  // a thread that runs on without any operation is a mistake in the script

bool holds(Test test, int a, int b) {
  switch (test) {
    case Test::Equal: return a == b;
    case Test::NotEqual: return a != b;
    case Test::Less: return a < b;
  }
  return false;
}

}  // namespace

Machine::Machine(const Script& script, bool watch_races) : script_(script), watch_races_(watch_races) {
  created_by_other_.assign(script.threads.size(), false);
  for (const ThreadScript& t : script.threads)
    for (const Instruction& i : t.code)
      if (i.code == Code::Create) created_by_other_.at(index(i.object)) = true;
  for (const ThreadScript& t : script.threads)
    awaits_.push_back(std::any_of(t.code.begin(), t.code.end(), [](const Instruction& i) { return i.code == Code::AwaitChange || i.code == Code::AwaitAny; }));
}

void Machine::reset(std::uint32_t timeouts) {
  timeouts_ = timeouts;
  most_timeouts_ = 0;
  refused_timeout_ = false;
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
  ++t.operations;
  if (tells_value(v.op)) event.argument = told_value(thread, i);
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
