#include "generator.h"

#include <algorithm>
#include <vector>

#include "wire/sampling.h"

namespace heddle::generated {
namespace {

using namespace scripted;

enum Theme { Memory, Atomics, Mutexes, Trylocks, Rwlocks, Conditions, Semaphores, Barriers, Onces, Futexes, Threads, Awaits, Choices, Asserts, Exits, kThemes };

class Generator {
 public:
  explicit Generator(std::uint64_t seed, bool cyclic = false) : draw_(seed), cyclic_(cyclic) {}

  Script program() {
    const int threads = 2 + (below(10) < 5 ? 0 : below(10) < 8 ? 1 : 2);
    script_.variables.assign(static_cast<std::size_t>(1 + below(2)), 0);
    script_.mutexes = 1 + below(2);
    script_.rwlocks = 1;
    script_.conditions = 1;
    script_.semaphores = {below(3)};
    script_.barriers = {2 + (threads > 2 && below(3) == 0)};
    script_.onces = 1;
    script_.spurious_wakeups = below(12) == 0;
    for (int n = 1 + below(3); n > 0; --n) themes_.push_back(static_cast<Theme>(below(kThemes)));
    if (below(2)) themes_.push_back(Memory);
    script_.threads.resize(static_cast<std::size_t>(threads));
    for (int t = 0; t < threads; ++t) body(t);
    return script_;
  }

 private:
  int below(int n) { return static_cast<int>(draw_.below(static_cast<std::uint64_t>(n))); }
  int variable() { return below(static_cast<int>(script_.variables.size())); }
  int mutex() { return below(script_.mutexes); }
  int reg() { return below(2); }
  ThreadScript& code() { return script_.threads[static_cast<std::size_t>(thread_)]; }

  void body(int thread) {
    thread_ = thread;
    const int statements = 1 + below(2) + (below(3) == 0);
    const int loop = cyclic_ && below(3) ? below(statements) : -1;
    for (int i = 0; i < statements; ++i) i == loop ? looped() : statement(1);
  }

  // A loop begins with an operation, so that nothing can go round without one.
  void looped() {
    const int top = code().here(), r = reg(), kind = below(5);
    if (kind == 4) code().try_lock(mutex(), r);
    else code().atomic_load(variable(), r);
    const int jump = code().here();
    if (kind >= 3) code().jump_if(r, Test::NotEqual, 0, 0);  // while (x == 0), while (!try_lock)
    if (below(3)) statement(1);
    if (kind < 2) code().jump(top);                          // for ever
    else if (kind == 2) code().jump_if(r, Test::NotEqual, 1 + below(2), top);  // do … while
    else code().jump(top);
    if (kind >= 3) land(jump);
  }

  // `depth`: how many more sections may be nested.
  void statement(int depth) {
    switch (themes_[static_cast<std::size_t>(below(static_cast<int>(themes_.size())))]) {
      case Memory: return access();
      case Atomics: return atomic();
      case Mutexes: return locked(depth);
      case Trylocks: return attempted(depth);
      case Rwlocks: return rwlocked(depth);
      case Conditions: return condition();
      case Semaphores: return semaphore();
      case Barriers: code().barrier_wait(0, reg()); return;
      case Onces: return once(depth);
      case Futexes: return futex();
      case Threads: return thread_operation();
      case Awaits: return await();
      case Choices: code().choose(2 + below(2), reg()); return access_from_register();
      case Asserts: return assertion();
      case Exits: return exits();
      case kThemes: break;
    }
  }

  void access() {
    if (below(2)) code().load(variable(), reg());
    else if (below(3)) code().store(variable(), 1 + below(2));
    else access_from_register();
  }
  void access_from_register() {
    const int r = reg();
    if (cyclic_) code().modulo(r, 2);
    code().store_from(variable(), r, below(2));
  }

  void atomic() {
    switch (below(4)) {
      case 0: code().atomic_load(variable(), reg()); return;
      case 1: code().atomic_store(variable(), 1 + below(2)); return;
      case 2: cyclic_ ? code().cas(variable(), 1, 0, reg()) : code().atomic_add(variable(), 1, reg()); return;
      default: code().cas(variable(), below(2), 2, reg());
    }
  }

  void inside(int depth) {
    const int n = below(3) == 0 ? 0 : 1;
    for (int i = 0; i < n; ++i) depth > 0 && below(3) == 0 ? statement(depth - 1) : access();
  }

  void locked(int depth) {
    const int m = mutex();
    code().lock(m);
    inside(depth);
    code().unlock(m);
  }

  // if (try(…)) { … unlock }
  void attempted(int depth) {
    const int m = mutex(), r = reg();
    if (below(3) == 0) code().timed_lock(m, r);
    else code().try_lock(m, r);
    const int jump = code().here();
    code().jump_if(r, Test::Equal, 0, 0);
    inside(depth);
    code().unlock(m);
    land(jump);
  }

  void rwlocked(int depth) {
    const int kind = below(6), r = reg();
    int jump = -1;
    if (kind < 2) code().read_lock(0);
    else if (kind < 4) code().write_lock(0);
    else {
      kind == 4 ? code().try_read_lock(0, r) : code().try_write_lock(0, r);
      jump = code().here();
      code().jump_if(r, Test::Equal, 0, 0);
    }
    inside(depth);
    code().rw_unlock(0);
    if (jump >= 0) land(jump);
  }

  void land(int jump) { code().code[static_cast<std::size_t>(jump)].object = code().here(); }

  void condition() {
    switch (below(6)) {
      case 0: code().signal(0); return;
      case 1: code().broadcast(0); return;
      case 2: code().lock(0).store(0, 1 + below(2)).signal(0).unlock(0); return;
      case 3: code().lock(0).wait(0, 0, reg()).unlock(0); return;
      case 4: code().lock(0).timed_wait(0, 0, reg()).unlock(0); return;
      default: {  // if or while (x == 0) wait
        code().lock(0);
        const int top = code().here();
        code().load(0, 1);
        const int jump = code().here();
        code().jump_if(1, Test::NotEqual, 0, 0).wait(0, 0, 0);
        if (below(2)) code().jump(top);
        land(jump);
        code().unlock(0);
      }
    }
  }

  void semaphore() {
    switch (below(8)) {
      case 0: case 1: case 2: code().sem_wait(0); return;
      case 3: code().sem_try_wait(0, reg()); return;
      case 4: code().sem_timed_wait(0, reg()); return;
      case 5: code().sem_value(0, reg()); return;
      default: code().sem_post(0);
    }
  }

  void once(int depth) {
    const int r = reg();
    code().once_begin(0, r);
    const int jump = code().here();
    code().jump_if(r, Test::Equal, 0, 0);
    inside(depth);
    code().once_end(0);
    land(jump);
  }

  void futex() {
    switch (below(4)) {
      case 0: code().futex_wait(0, 0, reg(), below(4) == 0); return;
      case 1: code().futex_wake(0, 1); return;
      case 2: code().futex_wake(0, 4); return;
      default: code().atomic_store(0, 1).futex_wake(0, 1);
    }
  }

  void thread_operation() {
    const int other = below(static_cast<int>(script_.threads.size()));
    if (other == thread_) return access();
    switch (below(4)) {
      case 0: if (thread_ == 0) code().create(other); else access(); return;
      case 1: code().try_join(other, reg()); return;
      default: code().join(other);
    }
  }

  void await() {
    if (below(2)) code().await(variable(), 1 + below(2), reg());
    else code().atomic_store(variable(), 1 + below(2));
  }

  void assertion() {
    const int r = reg();
    if (below(2)) code().atomic_load(variable(), r);
    else code().load(variable(), r);
    code().check(r, below(2) ? Test::Equal : Test::NotEqual, below(2), below(100));
  }

  void exits() {
    if (below(4) == 0) code().exit();
    else access();
  }

  wire::Draw draw_;
  const bool cyclic_;
  Script script_;
  std::vector<Theme> themes_;
  int thread_ = 0;
};

// The script without instructions [from, to) of a thread; jumps follow what they pointed to.
Script without(const Script& script, std::size_t thread, std::size_t from, std::size_t to) {
  Script smaller = script;
  auto& code = smaller.threads[thread].code;
  code.erase(code.begin() + static_cast<std::ptrdiff_t>(from), code.begin() + static_cast<std::ptrdiff_t>(to));
  const int gone = static_cast<int>(to - from);
  for (Instruction& i : code) {
    if (i.code != Code::Jump && i.code != Code::JumpIf) continue;
    if (i.object >= static_cast<int>(to)) i.object -= gone;
    else if (i.object > static_cast<int>(from)) i.object = static_cast<int>(from);
  }
  return smaller;
}

// An await for several variables stands at the end of a loop that reads them: what await_either builds.
bool reads_before(const ThreadScript& t, std::size_t k) {
  if (k < 4 || k + 1 >= t.code.size()) return false;
  const std::size_t top = k - 4;
  auto leaves = [&](const Instruction& i) { return i.code == Code::JumpIf && i.object == static_cast<int>(k + 2); };
  const Instruction& back = t.code[k + 1];
  if (back.code != Code::Jump || back.object != static_cast<int>(top)) return false;
  const bool reads = t.code[top].code == Code::AtomicLoad && t.code[top + 2].code == Code::AtomicLoad;
  if (!reads || !leaves(t.code[top + 1]) || !leaves(t.code[top + 3])) return false;
  return t.code[k].value == (1 << t.code[top].object | 1 << t.code[top + 2].object);
}

}  // namespace

Script generate(std::uint64_t seed) {
  for (std::uint64_t k = 0;; ++k) {
    Script s = Generator(seed * 0x9e3779b97f4a7c15ULL + k).program();
    if (is_sensible(s)) return s;
  }
}

Script generate_cyclic(std::uint64_t seed) {
  for (std::uint64_t k = 0;; ++k) {
    Script s = Generator(seed * 0x9e3779b97f4a7c15ULL + k, true).program();
    if (is_sensible(s, true)) return s;
  }
}

Script generate_waits(std::uint64_t seed) {
  wire::Draw draw(seed * 0x9e3779b97f4a7c15ULL + 1);
  auto below = [&draw](int n) { return static_cast<int>(draw.below(static_cast<std::uint64_t>(n))); };
  Script s;
  const int variables = 2 + below(2);
  s.variables.assign(static_cast<std::size_t>(variables), 0);
  s.mutexes = 1;
  for (int threads = 2 + below(2); threads > 0; --threads) {
    ThreadScript& t = s.thread();
    for (int n = 1 + below(2) + below(2); n > 0; --n) {
      const int x = below(variables), y = (x + 1 + below(variables - 1)) % variables;
      switch (below(6)) {
        case 0: t.atomic_load(x, below(2)); break;
        case 1: below(2) ? t.await(x, 1 + below(2), below(2)) : t.cas(x, below(2), 2, 1); break;
        case 2: t.lock(0).atomic_store(x, below(3)).unlock(0); break;
        case 3: t.await_either(x, 1 + below(2), y, 1 + below(2), below(2)); break;
        default: t.atomic_store(x, 1 + below(2));
      }
    }
  }
  s.thread().await_either(0, 1, 1, 1 + below(2), 0).atomic_load(0, 1).check(1, Test::NotEqual, below(4), 7);
  return s;
}

bool is_local(Code code) { return code >= Code::Set; }

bool is_sensible(const Script& script, bool cycles) {
  std::vector<int> creations(script.threads.size());
  for (const ThreadScript& t : script.threads)
    for (const Instruction& i : t.code)
      if (i.code == Code::Create && ++creations[static_cast<std::size_t>(i.object)] > 1) return false;
  for (const ThreadScript& t : script.threads)  // only the creator knows whom to ask
    for (const Instruction& i : t.code)
      if (i.code == Code::TryJoin && creations[static_cast<std::size_t>(i.object)] && &t != &script.threads[0]) return false;
  for (const ThreadScript& t : script.threads) {
    for (std::size_t k = 0; k < t.code.size(); ++k) {
      const Instruction& i = t.code[k];
      const bool jumps = i.code == Code::Jump || i.code == Code::JumpIf;
      if (jumps && (i.object < 0 || i.object > t.here())) return false;
      if (jumps && i.object <= static_cast<int>(k)) {  // a loop must wait in it, or it may never end
        const bool waits = std::any_of(t.code.begin() + i.object, t.code.begin() + static_cast<std::ptrdiff_t>(k), [](const Instruction& x) {
          return x.code == Code::AwaitChange || x.code == Code::AwaitAny || x.code == Code::CondWait;
        });
        const bool begins = i.object < t.here() && !is_local(t.code[static_cast<std::size_t>(i.object)].code);
        if (!(cycles ? begins : waits)) return false;
      }
      if (i.code == Code::OnceEnd && std::none_of(t.code.begin(), t.code.begin() + static_cast<std::ptrdiff_t>(k), [](const Instruction& x) { return x.code == Code::OnceBegin; }))
        return false;
      if (i.code == Code::AwaitChange && (k == 0 || t.code[0].code == Code::AwaitChange)) return false;
      if (i.code == Code::AwaitAny && !reads_before(t, k)) return false;
      if (cycles) continue;
      if (i.code == Code::CondWait && i.timed && std::any_of(t.code.begin() + static_cast<std::ptrdiff_t>(k), t.code.end(), [&](const Instruction& x) {
            return x.code == Code::Jump && x.object <= static_cast<int>(k);
          }))
        return false;  // could time out for ever
      if (i.code == Code::CondWait && script.spurious_wakeups && std::any_of(t.code.begin() + static_cast<std::ptrdiff_t>(k), t.code.end(), [&](const Instruction& x) {
            return x.code == Code::Jump && x.object <= static_cast<int>(k);
          }))
        return false;
    }
  }
  return true;
}

Script shrink(Script script, const std::function<bool(const Script&)>& fails, bool cycles) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t t = 0; t < script.threads.size(); ++t)
      for (std::size_t length = script.threads[t].code.size(); length > 0; length = length > 1 ? length / 2 : 0)
        for (std::size_t from = 0; from + length <= script.threads[t].code.size();) {
          Script attempt = without(script, t, from, from + length);
          if (is_sensible(attempt, cycles) && fails(attempt)) {
            script = attempt;
            smaller = true;
          } else {
            ++from;
          }
        }
    Script calm = script;
    calm.spurious_wakeups = false;
    if (script.spurious_wakeups && fails(calm)) script = calm, smaller = true;
  }
  return script;
}

}  // namespace heddle::generated
