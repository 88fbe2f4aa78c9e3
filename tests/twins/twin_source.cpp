#include "twin_source.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::twins {
namespace {

using namespace scripted;

bool any(const Script& script, auto predicate) {
  return std::any_of(script.threads.begin(), script.threads.end(), [&](const ThreadScript& t) {
    return std::any_of(t.code.begin(), t.code.end(), predicate);
  });
}

// A second lock of a rwlock by one thread: scripts call it misuse, POSIX allows it.
bool nests_rwlocks(const ThreadScript& t) {
  int held = 0;
  for (const Instruction& i : t.code) {
    const bool takes = i.code == Code::ReadLock || i.code == Code::WriteLock || i.code == Code::TryReadLock || i.code == Code::TryWriteLock;
    if (takes && held++ > 0) return true;
    if (i.code == Code::RwUnlock) --held;
  }
  return false;
}

const char* symbol(Test test) {
  switch (test) {
    case Test::Equal: return "==";
    case Test::NotEqual: return "!=";
    case Test::Less: return "<";
  }
  return "?";
}

std::string value_of(const Instruction& i) {
  return i.from == kNoRegister ? fmt::format("{}", i.value) : fmt::format("r{} + {}", i.from, i.value);
}

// One instruction; `p` is the prefix of the twin's names.
std::string statement(const Instruction& i, const std::string& p) {
  const int o = i.object, r = i.reg;
  switch (i.code) {
    case Code::Load: return fmt::format("r{} = {}v[{}];", r, p, o);
    case Code::Store: return fmt::format("{}v[{}] = {};", p, o, value_of(i));
    case Code::AtomicLoad: return fmt::format("r{} = __atomic_load_n(&{}v[{}], __ATOMIC_SEQ_CST);", r, p, o);
    case Code::AtomicStore: return fmt::format("__atomic_store_n(&{}v[{}], {}, __ATOMIC_SEQ_CST);", p, o, value_of(i));
    case Code::AtomicAdd: return fmt::format("r{} = __atomic_fetch_add(&{}v[{}], {}, __ATOMIC_SEQ_CST);", r, p, o, value_of(i));
    case Code::Cas: return fmt::format("r{} = cas(&{}v[{}], {}, {});", r, p, o, i.other, value_of(i));
    case Code::Lock: return fmt::format("pthread_mutex_lock(&{}m[{}]);", p, o);
    case Code::TryLock: return fmt::format("r{} = pthread_mutex_trylock(&{}m[{}]) == 0;", r, p, o);
    case Code::TimedLock: return fmt::format("r{} = pthread_mutex_timedlock(&{}m[{}], &soon) == 0;", r, p, o);
    case Code::Unlock: return fmt::format("pthread_mutex_unlock(&{}m[{}]);", p, o);
    case Code::ReadLock: return fmt::format("pthread_rwlock_rdlock(&{}l[{}]);", p, o);
    case Code::WriteLock: return fmt::format("pthread_rwlock_wrlock(&{}l[{}]);", p, o);
    case Code::TryReadLock: return fmt::format("r{} = pthread_rwlock_tryrdlock(&{}l[{}]) == 0;", r, p, o);
    case Code::TryWriteLock: return fmt::format("r{} = pthread_rwlock_trywrlock(&{}l[{}]) == 0;", r, p, o);
    case Code::RwUnlock: return fmt::format("pthread_rwlock_unlock(&{}l[{}]);", p, o);
    case Code::CondWait:
      return i.timed ? fmt::format("r{} = pthread_cond_timedwait(&{}c[{}], &{}m[{}], &soon) != 0;", r, p, o, p, i.other)
                     : fmt::format("pthread_cond_wait(&{}c[{}], &{}m[{}]); r{} = 0;", p, o, p, i.other, r);
    case Code::Signal: return fmt::format("pthread_cond_signal(&{}c[{}]);", p, o);
    case Code::Broadcast: return fmt::format("pthread_cond_broadcast(&{}c[{}]);", p, o);
    case Code::SemWait: return fmt::format("sem_wait(&{}s[{}]);", p, o);
    case Code::SemTryWait: return fmt::format("r{} = sem_trywait(&{}s[{}]) == 0;", r, p, o);
    case Code::SemTimedWait: return fmt::format("r{} = sem_timedwait(&{}s[{}], &soon) == 0;", r, p, o);
    case Code::SemPost: return fmt::format("sem_post(&{}s[{}]);", p, o);
    case Code::SemValue: return fmt::format("r{} = value_of(&{}s[{}]);", r, p, o);
    case Code::BarrierWait: return fmt::format("r{} = pthread_barrier_wait(&{}b[{}]) != 0;", r, p, o);
    case Code::OnceBegin: return fmt::format("r{} = __cxa_guard_acquire(&{}o[{}]);", r, p, o);
    case Code::OnceEnd: return fmt::format("__cxa_guard_release(&{}o[{}]);", p, o);
    case Code::FutexWait: return fmt::format("r{} = futex_wait(&{}v[{}], {}, {});", r, p, o, i.other, i.timed ? "&soon" : "nullptr");
    case Code::FutexWake: return fmt::format("syscall(SYS_futex, &{}v[{}], FUTEX_WAKE, {}, nullptr, nullptr, 0);", p, o, i.value);
    case Code::Choose: return fmt::format("r{} = heddle_choose({});", r, i.value);
    case Code::Exit: return "exit(0);";
    case Code::Set: return fmt::format("r{} = {};", r, i.value);
    case Code::Add: return fmt::format("r{} += {};", r, i.value);
    case Code::Multiply: return fmt::format("r{} *= {};", r, i.value);
    case Code::Modulo: return fmt::format("r{} %= {};", r, i.value);
    case Code::Jump: return fmt::format("goto L{};", o);
    case Code::JumpIf: return fmt::format("if (r{} {} {}) goto L{};", r, symbol(i.test), i.value, o);
    case Code::Assert: return fmt::format("assert(r{} {} {} && \"{}\");", r, symbol(i.test), i.value, i.other);
    case Code::AwaitChange: case Code::AwaitAny: return ";";  // the runtime finds the loop by itself
    case Code::Create: case Code::Join: case Code::TryJoin:
    case Code::CondResume: case Code::BarrierResume: case Code::FutexResume: break;
  }
  return "#error no twin";
}

std::string thread_function(const ThreadScript& t, const std::string& p, std::size_t number) {
  std::string text = fmt::format("static void* {}t{}(void*) {{\n  int r0 = 0, r1 = 0, r2 = 0, r3 = 0;\n", p, number);
  for (std::size_t k = 0; k < t.code.size(); ++k) text += fmt::format("L{}: {}\n", k, statement(t.code[k], p));
  return text + fmt::format("L{}:\n  use(r0, r1, r2, r3);\n  return nullptr;\n}}\n", t.code.size());
}

}  // namespace

bool has_twin(const Script& script) {
  const bool foreign = any(script, [](const Instruction& i) {
    return i.code == Code::Create || i.code == Code::Join || i.code == Code::TryJoin || i.index != kNoRegister;
  });
  return !foreign && std::none_of(script.threads.begin(), script.threads.end(), nests_rwlocks);
}

bool spins(const Script& script) {
  return any(script, [](const Instruction& i) { return i.code == Code::AwaitChange || i.code == Code::AwaitAny; });
}

bool exits(const Script& script) {
  return any(script, [](const Instruction& i) { return i.code == Code::Exit; });
}

bool has_compare_exchange(const Script& script) {
  return any(script, [](const Instruction& i) { return i.code == Code::Cas; });
}

bool takes_equal_steps(const Script& script) {
  return !any(script, [](const Instruction& i) {
    return i.code == Code::OnceEnd || i.code == Code::FutexWait || i.code == Code::SemValue;
  });
}

std::string twin_prelude() {
  return R"(#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <heddle/heddle.h>
extern "C" int __cxa_guard_acquire(unsigned long*);
extern "C" void __cxa_guard_release(unsigned long*);
#pragma GCC diagnostic ignored "-Wunused-label"
static const timespec soon = {2000000000, 0};
static inline int cas(volatile int* x, int expected, int desired) {
  return __sync_bool_compare_and_swap(x, expected, desired);  // unlike the newer one, writes nothing on the stack when it fails
}
static inline int value_of(sem_t* s) { int n; sem_getvalue(s, &n); return n; }
static inline int futex_wait(volatile int* x, int expected, const timespec* until) {
  return (int)syscall(SYS_futex, x, FUTEX_WAIT_BITSET, expected, until, nullptr, ~0u);
}
static inline void use(int, int, int, int) {}
)";
}

std::string twin_source(const Script& script, int number) {
  const std::string p = fmt::format("p{}_", number);
  auto size = [](std::size_t n) { return std::max<std::size_t>(n, 1); };
  std::string text = fmt::format("static volatile int {}v[{}] = {{{}}};\n", p, size(script.variables.size()), fmt::join(script.variables, ", "));
  text += fmt::format("static pthread_mutex_t {}m[{}];\nstatic pthread_rwlock_t {}l[{}];\nstatic pthread_cond_t {}c[{}];\n", p,
                      script.mutexes + 1, p, script.rwlocks + 1, p, script.conditions + 1);
  text += fmt::format("static sem_t {}s[{}];\nstatic pthread_barrier_t {}b[{}];\nstatic unsigned long {}o[{}];\n", p,
                      size(script.semaphores.size()), p, size(script.barriers.size()), p, script.onces + 1);
  for (std::size_t t = 0; t < script.threads.size(); ++t) text += thread_function(script.threads[t], p, t);
  text += fmt::format("static void twin_{}() {{\n  pthread_t t[{}];\n", number, script.threads.size());
  for (std::size_t i = 0; i < script.semaphores.size(); ++i) text += fmt::format("  sem_init(&{}s[{}], 0, {});\n", p, i, script.semaphores[i]);
  for (std::size_t i = 0; i < script.barriers.size(); ++i)
    text += fmt::format("  pthread_barrier_init(&{}b[{}], nullptr, {});\n", p, i, script.barriers[i]);
  for (std::size_t t = 0; t < script.threads.size(); ++t) text += fmt::format("  pthread_create(&t[{}], nullptr, {}t{}, nullptr);\n", t, p, t);
  for (std::size_t t = 0; t < script.threads.size(); ++t) text += fmt::format("  pthread_join(t[{}], nullptr);\n", t);
  return text + "}\n";
}

std::string twin_main(int count) {
  std::string text = "int main(int, char** argv) {\n  static void (*const twins[])() = {";
  for (int i = 0; i < count; ++i) text += fmt::format("twin_{}, ", i);
  return text + "};\n  twins[atoi(argv[1])]();\n  return 0;\n}\n";
}

}  // namespace heddle::twins
