// Programs for searches that store states: what generate() never makes.
//
// Threads forget what they have read, so that different ways lead to one state; several objects of each kind; statements that depend on what was read; loops in
// loops, loops that count, loops around waits of every kind; threads created by any thread, and exits before, after and without joining them.
#include <set>

#include "generator.h"
#include "statements.h"

namespace heddle::generated {
namespace {

constexpr int kCounter = 3;  // the register that loops count in

class WideGenerator : Statements {
 public:
  explicit WideGenerator(std::uint64_t seed) : Statements(seed, true) {}

  Script program() {
    const int threads = 2 + below(2) + (below(4) == 0) + (below(12) == 0);
    objects(threads);
    for (int n = 1 + below(3); n > 0; --n) themes_.push_back(static_cast<Theme>(below(kThemes)));
    if (below(2)) themes_.push_back(below(2) ? Memory : Atomics);
    forgetful_ = below(4);
    loops_ = below(3);
    creates_ = below(4) == 0;
    script_.threads.resize(static_cast<std::size_t>(threads));
    for (int t = 0; t < threads; ++t) body(t);
    if (below(8) == 0) exit_at_last(threads);
    return script_;
  }

 private:
  void objects(int threads) {
    script_.variables.assign(static_cast<std::size_t>(1 + below(4)), 0);
    script_.mutexes = 1 + below(3);
    script_.rwlocks = 1 + (below(3) == 0);
    script_.conditions = 1 + (below(3) == 0);
    for (int n = 1 + (below(3) == 0); n > 0; --n) script_.semaphores.push_back(below(3));
    for (int n = 1 + (below(3) == 0); n > 0; --n) script_.barriers.push_back(1 + below(threads));
    script_.onces = 1 + (below(3) == 0);
    script_.spurious_wakeups = below(8) == 0;
  }

  void body(int thread) {
    thread_ = thread;
    if (creates_) create();
    for (int n = 1 + below(3); n > 0; --n) statement(2);
  }

  // Each of the threads after this one that nobody has created yet, perhaps.
  void create() {
    for (int other = thread_ + 1; other < static_cast<int>(script_.threads.size()); ++other)
      if (below(2) == 0 && created_.insert(other).second) code().create(other);
  }

  void statement(int depth) override {
    const int kind = below(12);
    if (depth > 0 && kind == 0) conditional(depth - 1);
    else if (depth > 0 && kind <= loops_) repeated(depth - 1);
    else if (kind == 10) special();
    else Statements::statement(depth > 0 ? depth - 1 : 0);
    if (forgetful_ && below(4) < forgetful_) forget();
  }

  void forget() {
    for (int r = 0; r < 2; ++r)
      if (below(3)) code().set(r, 0);
  }

  void conditional(int depth) {
    const int jump = code().here();
    code().jump_if(reg(), below(2) ? Test::Equal : Test::NotEqual, below(2), 0);
    statement(depth);
    land(jump);
  }

  void repeated(int depth) {
    if (below(3) == 0) return looped();
    if (below(3) == 0) return counted(depth);
    const int top = code().here();
    first_of_loop();
    const int jump = code().here(), kind = below(3);
    if (kind) code().jump_if(reg(), below(2) ? Test::Equal : Test::NotEqual, below(2), 0);
    statement(depth);
    code().jump(top);
    if (kind) land(jump);
  }

  void counted(int depth) {
    code().set(kCounter, 0);
    const int top = code().here();
    first_of_loop();
    if (below(2)) statement(depth);
    code().add_to(kCounter, 1).jump_if(kCounter, Test::Less, 2, top).set(kCounter, 0);
  }

  // Any operation that can stand alone.
  void first_of_loop() {
    const int m = mutex();
    switch (below(14)) {
      case 0: code().atomic_load(variable(), reg()); return;
      case 1: code().load(variable(), reg()); return;
      case 2: code().cas(variable(), below(2), below(3), reg()); return;
      case 3: code().lock(m).unlock(m); return;
      case 4: code().lock(m).timed_wait(one_of(script_.conditions), m, reg()).unlock(m); return;
      case 5: code().lock(m).wait(one_of(script_.conditions), m, reg()).unlock(m); return;
      case 6: code().sem_wait(one_of(size(script_.semaphores))); return;
      case 7: code().sem_try_wait(one_of(size(script_.semaphores)), reg()); return;
      case 8: code().barrier_wait(one_of(size(script_.barriers)), reg()); return;
      case 9: code().await(variable(), below(2), reg()); return;
      case 10: code().choose(2, reg()); return;
      case 11: code().futex_wait(variable(), 0, reg(), below(2)); return;
      case 12: code().futex_wake(variable(), 1 + below(2)); return;
      default: code().atomic_store(variable(), below(2));
    }
  }

  // What no theme has.
  void special() {
    const int x = variable(), variables = static_cast<int>(script_.variables.size()), r = reg();
    switch (below(8)) {
      case 0:
        if (variables > 1) code().await_either(x, 1, (x + 1) % variables, 1 + below(2), r);
        return;
      case 1: case 2: return indexed(r, variables);
      case 3: code().check(r, below(2) ? Test::Equal : Test::NotEqual, below(3), below(100)); return;
      case 4: code().exit(); return;
      case 5: code().signal(one_of(script_.conditions)); return;
      case 6: code().store(x, 0); return;
      default: code().atomic_store(x, 0);
    }
  }

  // table[r], for what r may be: a futex wait that did not wait leaves -1.
  void indexed(int r, int variables) {
    const int jump = code().here() + 1;
    code().modulo(r, variables).jump_if(r, Test::Less, 0, 0);
    if (below(2)) code().load(0, 1 - r).indexed(r);
    else code().store(0, below(3)).indexed(r);
    land(jump);
  }

  // As a main thread does: waits for all others, or for some, and leaves.
  void exit_at_last(int threads) {
    thread_ = 0;
    for (int t = 1; t < threads; ++t)
      if (below(5)) code().join(t);
    code().exit();
  }

  int forgetful_ = 0;  // from never to always
  int loops_ = 0;
  bool creates_ = false;
  std::set<int> created_;
};

}  // namespace

Script generate_wide(std::uint64_t seed) {
  for (std::uint64_t k = 0;; ++k) {
    Script s = WideGenerator(seed * 0x9e3779b97f4a7c15ULL + k).program();
    if (is_sensible(s, true)) return s;
  }
}

}  // namespace heddle::generated
