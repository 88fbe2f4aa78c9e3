#include "target/scripted/script.h"

#include <fmt/format.h>

namespace heddle::scripted {
namespace {

const char* name(Test test) {
  switch (test) {
    case Test::Equal: return "scripted::Test::Equal";
    case Test::NotEqual: return "scripted::Test::NotEqual";
    case Test::Less: return "scripted::Test::Less";
  }
  return "?";
}

std::string call(const Instruction& i) {
  const int reg = i.reg;
  switch (i.code) {
    case Code::Load: return fmt::format("load({}, {})", i.object, reg);
    case Code::Store:
      return i.from == kNoRegister ? fmt::format("store({}, {})", i.object, i.value)
                                   : fmt::format("store_from({}, {}, {})", i.object, i.from, i.value);
    case Code::AtomicLoad: return fmt::format("atomic_load({}, {})", i.object, reg);
    case Code::AtomicStore: return fmt::format("atomic_store({}, {})", i.object, i.value);
    case Code::AtomicAdd: return fmt::format("atomic_add({}, {}, {})", i.object, i.value, reg);
    case Code::Cas: return fmt::format("cas({}, {}, {}, {})", i.object, i.other, i.value, reg);
    case Code::Lock: return fmt::format("lock({})", i.object);
    case Code::TryLock: return fmt::format("try_lock({}, {})", i.object, reg);
    case Code::TimedLock: return fmt::format("timed_lock({}, {})", i.object, reg);
    case Code::Unlock: return fmt::format("unlock({})", i.object);
    case Code::ReadLock: return fmt::format("read_lock({})", i.object);
    case Code::WriteLock: return fmt::format("write_lock({})", i.object);
    case Code::TryReadLock: return fmt::format("try_read_lock({}, {})", i.object, reg);
    case Code::TryWriteLock: return fmt::format("try_write_lock({}, {})", i.object, reg);
    case Code::RwUnlock: return fmt::format("rw_unlock({})", i.object);
    case Code::CondWait: return fmt::format("{}({}, {}, {})", i.timed ? "timed_wait" : "wait", i.object, i.other, reg);
    case Code::Signal: return fmt::format("signal({})", i.object);
    case Code::Broadcast: return fmt::format("broadcast({})", i.object);
    case Code::SemWait: return fmt::format("sem_wait({})", i.object);
    case Code::SemTryWait: return fmt::format("sem_try_wait({}, {})", i.object, reg);
    case Code::SemTimedWait: return fmt::format("sem_timed_wait({}, {})", i.object, reg);
    case Code::SemPost: return fmt::format("sem_post({})", i.object);
    case Code::SemValue: return fmt::format("sem_value({}, {})", i.object, reg);
    case Code::BarrierWait: return fmt::format("barrier_wait({}, {})", i.object, reg);
    case Code::OnceBegin: return fmt::format("once_begin({}, {})", i.object, reg);
    case Code::OnceEnd: return fmt::format("once_end({})", i.object);
    case Code::FutexWait: return fmt::format("futex_wait({}, {}, {}, {})", i.object, i.other, reg, i.timed);
    case Code::FutexWake: return fmt::format("futex_wake({}, {})", i.object, i.value);
    case Code::Create: return fmt::format("create({})", i.object);
    case Code::Join: return fmt::format("join({})", i.object);
    case Code::TryJoin: return fmt::format("try_join({}, {})", i.object, reg);
    case Code::AwaitChange: return fmt::format("await_change({})", i.object);
    case Code::AwaitAny: return fmt::format("await_any({})", i.value);
    case Code::Choose: return fmt::format("choose({}, {})", i.value, reg);
    case Code::Exit: return "exit()";
    case Code::Set: return fmt::format("set({}, {})", reg, i.value);
    case Code::Add: return fmt::format("add_to({}, {})", reg, i.value);
    case Code::Multiply: return fmt::format("multiply({}, {})", reg, i.value);
    case Code::Modulo: return fmt::format("modulo({}, {})", reg, i.value);
    case Code::Jump: return fmt::format("jump({})", i.object);
    case Code::JumpIf: return fmt::format("jump_if({}, {}, {}, {})", reg, name(i.test), i.value, i.object);
    case Code::Assert: return fmt::format("check({}, {}, {}, {})", reg, name(i.test), i.value, i.other);
    case Code::CondResume: case Code::BarrierResume: case Code::FutexResume: break;
  }
  return "?";
}

}  // namespace

std::string as_cpp(const Script& script) {
  std::string text = "Script s;\n";
  auto list = [&](const char* what, const std::vector<int>& values) {
    if (!values.empty()) text += fmt::format("s.{} = {{{}}};\n", what, fmt::join(values, ", "));
  };
  auto number = [&](const char* what, int n) {
    if (n) text += fmt::format("s.{} = {};\n", what, n);
  };
  list("variables", script.variables);
  number("mutexes", script.mutexes);
  number("rwlocks", script.rwlocks);
  number("conditions", script.conditions);
  list("semaphores", script.semaphores);
  list("barriers", script.barriers);
  number("onces", script.onces);
  if (script.spurious_wakeups) text += "s.spurious_wakeups = true;\n";
  for (const ThreadScript& t : script.threads) {
    text += "s.thread()";
    for (const Instruction& i : t.code) {
      text += '.' + call(i);
      if (i.index != kNoRegister) text += fmt::format(".indexed({})", i.index);
    }
    text += ";\n";
  }
  return text;
}

}  // namespace heddle::scripted
