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
    const bool creates = below(2) != 0;
    if (creates) parent(threads);
    for (int t = creates ? 1 : 0; t < threads; ++t)
      for (int n = 1 + below(2); n > 0; --n) section(script_.threads[static_cast<std::size_t>(t)]);
    return script_;
  }

 private:
  int below(int n) { return static_cast<int>(draw_.below(static_cast<std::uint64_t>(n))); }
  int variable() { return below(static_cast<int>(script_.variables.size())); }

  void access(ThreadScript& t) {
    switch (below(5)) {
      case 0: case 1: t.load(variable(), below(2)); return;
      case 2: t.store_from(variable(), below(2), 1); return;
      case 3: t.load(variable(), 1).check(1, below(2) ? Test::Equal : Test::NotEqual, below(3), below(100)); return;
      default: t.store(variable(), 1 + below(2));
    }
  }

  // The first lock most of the time.
  void section(ThreadScript& t) {
    const int lock = below(5) == 0;
    switch (below(10)) {
      case 0: access(t); return;
      case 1: t.lock(1).unlock(1); return;
      case 2: t.read_lock(0); access(t); t.rw_unlock(0); return;
      case 3: t.write_lock(0); access(t); t.rw_unlock(0); return;
      case 4: attempt(t, lock); return;
      case 5: waiting(t); return;
      case 6: t.lock(1).lock(0); access(t); t.unlock(0).unlock(1); return;
      default: t.lock(lock); access(t); if (below(3) == 0) access(t); t.unlock(lock);
    }
  }

  void attempt(ThreadScript& t, int lock) {
    t.try_lock(lock, 0);
    const int jump = t.here();
    t.jump_if(0, Test::Equal, 0, 0);
    access(t);
    t.unlock(lock);
    t.code[static_cast<std::size_t>(jump)].object = t.here();
  }

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
    t.code[static_cast<std::size_t>(jump)].object = t.here();
    t.unlock(0);
  }

  void parent(int threads) {
    ThreadScript& t = script_.threads[0];
    if (threads == 3 && below(4) == 0) {
      t.create(1);
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
  Script script_;
};

}  // namespace

Script generate_locked(std::uint64_t seed) { return LockedGenerator(seed * 0x9e3779b97f4a7c15ULL + 3).program(); }

}  // namespace heddle::generated
