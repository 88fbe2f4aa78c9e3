// Programs whose variables are mostly accessed under locks, not always the same one: what is safe because of a lock, and what only seems so. Thread 0 may create the
// others, wait for some of them, and access the variables before and after.
#include "generator.h"
#include "wire/sampling.h"

namespace heddle::generated {
namespace {

using namespace scripted;

class LockedGenerator {
 public:
  explicit LockedGenerator(std::uint64_t seed) : draw_(seed) {}

  Script program() {
    const int threads = 2 + below(2);
    script_.variables.assign(static_cast<std::size_t>(1 + below(2)), 0);
    script_.mutexes = 2;
    script_.rwlocks = 1;
    script_.conditions = 1;
    script_.threads.resize(static_cast<std::size_t>(threads));
    style_ = static_cast<Style>(below(kStyles));
    const bool creates = below(2) != 0;
    if (creates) parent(threads);
    for (int t = creates ? 1 : 0; t < threads; ++t)
      for (int n = 1 + below(2); n > 0; --n) section(script_.threads[static_cast<std::size_t>(t)]);
    return script_;
  }

 private:
  // Which lock most of a program's accesses are made under.
  enum Style { Mutexes, Rwlocks, Attempts, Everything, kStyles };

  int below(int n) { return static_cast<int>(draw_.below(static_cast<std::uint64_t>(n))); }
  int variable() { return below(static_cast<int>(script_.variables.size())); }

  void access(ThreadScript& t) {
    switch (below(7)) {
      case 0: case 1: t.load(variable(), below(2)); return;
      case 2: t.store_from(variable(), below(2), 1); return;
      case 3: t.load(variable(), 1).check(1, below(2) ? Test::Equal : Test::NotEqual, below(3), below(100)); return;
      case 4: perhaps_access(t); return;
      default: t.store(variable(), 1 + below(2));
    }
  }

  // Only where another thread's store has been seen, or has not.
  void perhaps_access(ThreadScript& t) {
    below(2) ? t.atomic_load(variable(), 1) : t.load(variable(), 1);
    const int jump = t.here();
    t.jump_if(1, below(2) ? Test::Equal : Test::NotEqual, 0, 0);
    below(2) ? t.load(variable(), 0) : t.store(variable(), 2);
    land(t, jump);
  }

  void section(ThreadScript& t) {
    switch (below(5) == 0 ? Everything : style_) {
      case Mutexes: under_mutex(t, below(6) == 0); return;
      case Rwlocks: under_rwlock(t); return;
      case Attempts: attempt(t, below(6) == 0); return;
      default: anything(t);
    }
  }

  void anything(ThreadScript& t) {
    switch (below(6)) {
      case 0: case 1: access(t); return;
      case 2: t.lock(1).unlock(1); return;
      case 3: t.atomic_store(variable(), 1); return;
      case 4: waiting(t); return;
      default: t.lock(1).lock(0); access(t); t.unlock(0).unlock(1);
    }
  }

  void under_mutex(ThreadScript& t, int lock) {
    t.lock(lock);
    access(t);
    if (below(3) == 0) access(t);
    t.unlock(lock);
  }

  void under_rwlock(ThreadScript& t) {
    below(2) ? t.read_lock(0) : t.write_lock(0);
    access(t);
    t.rw_unlock(0);
  }

  void attempt(ThreadScript& t, int lock) {
    t.try_lock(lock, 0);
    const int jump = t.here();
    t.jump_if(0, Test::Equal, 0, 0);
    access(t);
    t.unlock(lock);
    land(t, jump);
  }

  static void land(ThreadScript& t, int jump) { t.code[static_cast<std::size_t>(jump)].object = t.here(); }

  // The mutex is given up in between.
  void waiting(ThreadScript& t) {
    if (below(2)) {
      t.lock(0);
      access(t);
      t.signal(0).unlock(0);
    } else {
      t.lock(0).timed_wait(0, 0, 0);
      access(t);
      t.unlock(0);
    }
  }

  // lock; if (x == 0) { x = 1; create }; unlock: whoever comes first
  void create_once(ThreadScript& t, int child) {
    t.lock(0).load(0, 1);
    const int jump = t.here();
    t.jump_if(1, Test::NotEqual, 0, 0).store(0, 1).create(child);
    land(t, jump);
    t.unlock(0);
  }

  void parent(int threads) {
    ThreadScript& t = script_.threads[0];
    if (threads == 3 && below(4) == 0) {
      t.create(1);
      if (below(2)) t.atomic_store(variable(), 1);
      create_once(t, 2);
      create_once(script_.threads[1], 2);
      return;
    }
    for (int child = 1; child < threads; ++child) {
      if (below(2)) access(t);
      t.create(child);
    }
    if (below(3) == 0) section(t);
    for (int child = 1; child < threads; ++child)
      if (below(4)) t.join(child);
    if (below(2)) access(t);
  }

  wire::Draw draw_;
  Style style_ = Everything;
  Script script_;
};

}  // namespace

Script generate_locked(std::uint64_t seed) { return LockedGenerator(seed * 0x9e3779b97f4a7c15ULL + 3).program(); }

}  // namespace heddle::generated
