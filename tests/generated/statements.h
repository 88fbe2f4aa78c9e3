// Random statements over the objects of a script: what generated programs are made of.
#pragma once
#include <cstdint>
#include <vector>

#include "target/scripted/script.h"
#include "wire/sampling.h"

namespace heddle::generated {

using namespace scripted;

enum Theme { Memory, Atomics, Mutexes, Trylocks, Rwlocks, Conditions, Semaphores, Barriers, Onces, Futexes, Threads, Awaits, Choices, Asserts, Exits, kThemes };

// Appends to the thread `thread_` of `script_`. Which statements there are is drawn from `themes_`.
class Statements {
 protected:
  Statements(std::uint64_t seed, bool cyclic) : draw_(seed), cyclic_(cyclic) {}
  virtual ~Statements() = default;

  int below(int n) { return static_cast<int>(draw_.below(static_cast<std::uint64_t>(n))); }
  int variable() { return below(static_cast<int>(script_.variables.size())); }
  int mutex() { return below(script_.mutexes); }
  static int size(const std::vector<int>& objects) { return static_cast<int>(objects.size()); }
  int one_of(int n) { return n > 1 ? below(n) : 0; }
  int reg() { return below(2); }
  ThreadScript& code() { return script_.threads[static_cast<std::size_t>(thread_)]; }

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
  virtual void statement(int depth) {
    switch (themes_[static_cast<std::size_t>(below(static_cast<int>(themes_.size())))]) {
      case Memory: return access();
      case Atomics: return atomic();
      case Mutexes: return locked(depth);
      case Trylocks: return attempted(depth);
      case Rwlocks: return rwlocked(depth);
      case Conditions: return condition();
      case Semaphores: return semaphore();
      case Barriers: code().barrier_wait(one_of(size(script_.barriers)), reg()); return;
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
    const int kind = below(6), r = reg(), l = one_of(script_.rwlocks);
    int jump = -1;
    if (kind < 2) code().read_lock(l);
    else if (kind < 4) code().write_lock(l);
    else {
      kind == 4 ? code().try_read_lock(l, r) : code().try_write_lock(l, r);
      jump = code().here();
      code().jump_if(r, Test::Equal, 0, 0);
    }
    inside(depth);
    code().rw_unlock(l);
    if (jump >= 0) land(jump);
  }

  void land(int jump) { code().code[static_cast<std::size_t>(jump)].object = code().here(); }

  void condition() {
    const int c = one_of(script_.conditions);
    switch (below(6)) {
      case 0: code().signal(c); return;
      case 1: code().broadcast(c); return;
      case 2: code().lock(0).store(0, 1 + below(2)).signal(c).unlock(0); return;
      case 3: code().lock(0).wait(c, 0, reg()).unlock(0); return;
      case 4: code().lock(0).timed_wait(c, 0, reg()).unlock(0); return;
      default: {  // if or while (x == 0) wait
        code().lock(0);
        const int top = code().here();
        code().load(0, 1);
        const int jump = code().here();
        code().jump_if(1, Test::NotEqual, 0, 0).wait(c, 0, 0);
        if (below(2)) code().jump(top);
        land(jump);
        code().unlock(0);
      }
    }
  }

  void semaphore() {
    const int s = one_of(size(script_.semaphores));
    switch (below(8)) {
      case 0: case 1: case 2: code().sem_wait(s); return;
      case 3: code().sem_try_wait(s, reg()); return;
      case 4: code().sem_timed_wait(s, reg()); return;
      case 5: code().sem_value(s, reg()); return;
      default: code().sem_post(s);
    }
  }

  void once(int depth) {
    const int r = reg(), o = one_of(script_.onces);
    code().once_begin(o, r);
    const int jump = code().here();
    code().jump_if(r, Test::Equal, 0, 0);
    inside(depth);
    code().once_end(o);
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

}  // namespace heddle::generated
