#include "classics.h"

#include <algorithm>

namespace heddle::generated {

using namespace scripted;

Script lockers(int threads) {
  Script s;
  s.mutexes = 1;
  for (int t = 0; t < threads; ++t) s.thread().lock(0).unlock(0);
  return s;
}

Script readers(int n) {
  Script s;
  s.variables = {0};
  s.thread().store(0, 1);
  for (int i = 0; i < n; ++i) s.thread().load(0, 0);
  return s;
}

Script two_writers() {
  Script s;
  s.variables = {0, 0};
  s.thread().store(0, 1).store(0, 2);
  s.thread().store(1, 1).store(0, 3);
  return s;
}

Script store_buffering() {
  Script s;
  s.variables = {0, 0};
  s.thread().atomic_store(0, 1).atomic_load(1, 0);
  s.thread().atomic_store(1, 1).atomic_load(0, 0);
  return s;
}

Script counter_2x2() {
  Script s;
  s.variables = {0};
  for (int t = 0; t < 2; ++t) s.thread().atomic_load(0, 0).store_from(0, 0, 1).atomic_load(0, 0).store_from(0, 0, 1);
  return s;
}

// 002 fig. 1.
Script indexer(int threads) {
  constexpr int kSize = 128, kMessages = 4;
  Script s;
  s.variables.assign(kSize, 0);
  for (int tid = 1; tid <= threads; ++tid) {
    ThreadScript& t = s.thread();
    for (int m = 1; m <= kMessages; ++m) {
      const int w = m * 11 + tid;
      t.set(0, w * 7 % kSize);
      const int top = t.here();
      t.cas(0, 0, w, 1).indexed(0).jump_if(1, Test::Equal, 1, top + 5).add_to(0, 1).modulo(0, kSize).jump(top);
    }
  }
  return s;
}

// 002 fig. 7.
Script file_system(int threads) {
  constexpr int kInodes = 32, kBlocks = 26;  // variables and mutexes: inodes first, then blocks
  Script s;
  s.mutexes = kInodes + kBlocks;
  s.variables.assign(kInodes + kBlocks, 0);
  for (int tid = 0; tid < threads; ++tid) {
    ThreadScript& t = s.thread();
    const int i = tid % kInodes;
    t.lock(i).load(i, 1);
    const int has_block = t.here();
    t.jump_if(1, Test::NotEqual, 0, 0).set(0, i * 2 % kBlocks);
    const int top = t.here();
    t.lock(kInodes).indexed(0).load(kInodes, 1).indexed(0);
    const int busy = t.here();
    t.jump_if(1, Test::NotEqual, 0, 0).store(kInodes, 1).indexed(0).store_from(i, 0, 1).unlock(kInodes).indexed(0);
    const int out = t.here();
    t.jump(0);
    t.code[static_cast<std::size_t>(busy)].object = t.here();
    t.unlock(kInodes).indexed(0).add_to(0, 1).modulo(0, kBlocks).jump(top);
    t.code[static_cast<std::size_t>(out)].object = t.code[static_cast<std::size_t>(has_block)].object = t.here();
    t.unlock(i);
  }
  return s;
}

// The reader looks for the last zero; writer i sets element i from its left neighbour.
Script last_zero(int n) {
  Script s;
  s.variables.assign(static_cast<std::size_t>(n) + 1, 0);
  ThreadScript& reader = s.thread();
  reader.set(0, n);
  const int top = reader.here();
  reader.load(0, 1).indexed(0).jump_if(1, Test::Equal, 0, top + 4).add_to(0, -1).jump(top);
  for (int i = 1; i <= n; ++i) s.thread().load(i - 1, 0).store_from(i, 0, 1);
  return s;
}

// Two threads, one critical section for every fifth and one for every second number below n.
Script example1(int n) {
  Script s;
  s.mutexes = 1;
  for (int step : {5, 2}) {
    ThreadScript& t = s.thread();
    for (int i = 0; i < n; i += step) t.lock(0).unlock(0);
  }
  return s;
}

Script philosophers(int n) {
  Script s;
  s.mutexes = n;
  for (int i = 0; i < n; ++i) {
    const int first = std::min(i, (i + 1) % n), second = std::max(i, (i + 1) % n);
    s.thread().lock(first).lock(second).unlock(second).unlock(first);
  }
  return s;
}

// Variable 0: places in use. Condition 0: not full; 1: not empty.
Script bounded_buffer(int slots, int producers, int consumers, int items) {
  Script s;
  s.variables = {0};
  s.mutexes = 1;
  s.conditions = 2;
  for (int i = 0; i < producers + consumers; ++i) {
    const bool produces = i < producers;
    ThreadScript& t = s.thread();
    for (int n = 0; n < items; ++n) {
      t.lock(0);
      const int top = t.here();
      t.load(0, 0).jump_if(0, Test::NotEqual, produces ? slots : 0, top + 4).wait(produces ? 0 : 1, 0, 1).jump(top);
      t.store_from(0, 0, produces ? 1 : -1).signal(produces ? 1 : 0).unlock(0);
    }
  }
  return s;
}

Script flag_spin() {
  Script s;
  s.variables = {0};
  s.thread().atomic_store(0, 1);
  s.thread().await(0, 1, 0);
  return s;
}

Script test_and_set_lock(int threads) {
  Script s;
  s.variables = {0};
  for (int i = 0; i < threads; ++i) {
    ThreadScript& t = s.thread();
    t.cas(0, 0, 1, 0).jump_if(0, Test::Equal, 1, 4).await_change(0).jump(0);
    t.atomic_store(0, 0);
  }
  return s;
}

// Variable 0: the next ticket; 1: who is served.
Script ticket_lock(int threads) {
  Script s;
  s.variables = {0, 0};
  for (int i = 0; i < threads; ++i) {
    ThreadScript& t = s.thread();
    t.atomic_add(0, 1, 0);
    for (int ticket = 0; ticket < threads; ++ticket) {
      const int next = t.here() + 7;
      t.jump_if(0, Test::NotEqual, ticket, next);
      t.await(1, ticket, 1).atomic_store(1, ticket + 1).jump(1 + 7 * threads);
    }
  }
  return s;
}

}  // namespace heddle::generated
