#include "generator.h"

#include <iterator>

#include "statements.h"

namespace heddle::generated {
namespace {

class Generator : protected Statements {
 public:
  explicit Generator(std::uint64_t seed, bool cyclic = false) : Statements(seed, cyclic) {}

  virtual ~Generator() = default;

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
    draw_themes();
    script_.threads.resize(static_cast<std::size_t>(threads));
    for (int t = 0; t < threads; ++t) body(t);
    return script_;
  }

 protected:
  virtual void draw_themes() {
    for (int n = 1 + below(3); n > 0; --n) themes_.push_back(static_cast<Theme>(below(kThemes)));
    if (below(2)) themes_.push_back(Memory);
  }

 private:
  void body(int thread) {
    thread_ = thread;
    const int statements = 1 + below(2) + (below(3) == 0);
    const int loop = cyclic_ && below(3) ? below(statements) : -1;
    for (int i = 0; i < statements; ++i) i == loop ? looped() : statement(1);
  }
};

class EndsGenerator final : public Generator {
 public:
  using Generator::Generator;

 private:
  void draw_themes() override {
    constexpr Theme kAlternatives[] = {Trylocks, Conditions, Semaphores, Futexes, Choices, Threads};
    for (int n = 1 + below(2); n > 0; --n) themes_.push_back(kAlternatives[below(std::size(kAlternatives))]);
    themes_.push_back(Asserts);
    if (below(2)) themes_.push_back(Exits);
    if (below(3) == 0) themes_.push_back(Memory);
  }
};

}  // namespace

Script generate(std::uint64_t seed) {
  for (std::uint64_t k = 0;; ++k) {
    Script s = Generator(seed * 0x9e3779b97f4a7c15ULL + k).program();
    if (is_sensible(s)) return s;
  }
}

Script generate_ends(std::uint64_t seed) {
  for (std::uint64_t k = 0;; ++k) {
    Script s = EndsGenerator(seed * 0x9e3779b97f4a7c15ULL + k).program();
    if (is_sensible(s)) return s;
  }
}

Script generate_cyclic(std::uint64_t seed) {
  for (std::uint64_t k = 0;; ++k) {
    Script s = Generator(seed * 0x9e3779b97f4a7c15ULL + k, true).program();
    if (is_sensible(s, true)) return s;
  }
}

// Waits in loops, and what ends them or does not.
Script generate_timeouts(std::uint64_t seed) {
  wire::Draw draw(seed * 0x9e3779b97f4a7c15ULL + 2);
  auto below = [&draw](int n) { return static_cast<int>(draw.below(static_cast<std::uint64_t>(n))); };
  Script s;
  s.variables = {0, 0};
  s.mutexes = 2;
  s.conditions = 1 + below(2);
  auto wait_in_loop = [&](ThreadScript& t) {  // lock; while (x == 0) timed wait; unlock
    const int x = below(2), c = below(s.conditions), top = t.here() + 1;
    t.lock(0).load(x, 1);
    const int jump = t.here();
    t.jump_if(1, Test::NotEqual, 0, 0).timed_wait(c, 0, 0);
    if (below(4)) t.jump(top);
    t.code[static_cast<std::size_t>(jump)].object = t.here();
    t.unlock(0);
  };
  for (int threads = 2 + below(2); threads > 0; --threads) {
    ThreadScript& t = s.thread();
    for (int n = 1 + below(2); n > 0; --n) {
      switch (below(6)) {
        case 0: t.lock(0).store(below(2), 1).signal(below(s.conditions)).unlock(0); break;
        case 1: t.lock(0).store(below(2), 1).unlock(0); break;
        case 2: t.lock(1).lock(0).unlock(0).unlock(1); break;
        case 3: t.atomic_load(0, 0).check(0, Test::Equal, below(2), 7); break;
        default: wait_in_loop(t);
      }
    }
  }
  wait_in_loop(s.thread());
  return s;
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

Script generate_exchanges(std::uint64_t seed) {
  wire::Draw draw(seed * 0x9e3779b97f4a7c15ULL + 3);
  auto below = [&draw](int n) { return static_cast<int>(draw.below(static_cast<std::uint64_t>(n))); };
  Script s;
  const int variables = 1 + below(2);
  s.variables.assign(static_cast<std::size_t>(variables), 0);
  s.mutexes = 1;
  const bool fails = below(3) == 0;
  for (int threads = 2 + below(3); threads > 0; --threads) {
    ThreadScript& t = s.thread();
    for (int n = 1 + below(2) + below(2); n > 0; --n) {
      const int x = below(variables);
      switch (below(10)) {
        case 0: t.atomic_load(x, below(2)); break;
        case 1: t.atomic_store(x, below(3)); break;
        case 2: t.atomic_add(x, 1, below(2)); break;
        case 3: t.load(x, below(2)); break;
        case 4: t.store(x, below(3)); break;
        case 5: t.lock(0).cas(x, below(3), below(3), 0).unlock(0); break;
        case 6: t.cas(x, below(2), 1 + below(2), 0).store_from(x, 0, below(2)); break;
        default: t.cas(x, below(2), below(3), below(2));
      }
    }
    if (fails) t.atomic_load(below(variables), 1).check(1, Test::NotEqual, below(3), 7);
  }
  return s;
}

}  // namespace heddle::generated
