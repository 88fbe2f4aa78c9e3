// The programs of the papers, with the counts that they are known by.
#include <gtest/gtest.h>

#include "expect_agreement.h"
#include "explore/reduction/dpor.h"
#include "explore/reduction/optimal.h"
#include "explore/reduction/reference/enumeration.h"
#include "explore/reduction/source.h"
#include "target/scripted/scripted_program.h"

namespace heddle::generated {
namespace {

using namespace scripted;

struct Count {
  std::uint64_t executions = 0, blocked = 0;
  bool operator==(const Count&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Count& c) { return out << c.executions << " + " << c.blocked << " blocked"; }

template <class Algorithm>
Count count(const Script& script) {
  ScriptedProgram program(script, {.races = false, .final_state = false});
  Algorithm algorithm;
  Count c;
  while (auto request = algorithm.next()) {
    const Trace trace = program.run(*request).value();
    EXPECT_NE(trace.end, wire::End::Diverged);
    ++(trace.end == wire::End::SleepBlocked ? c.blocked : c.executions);
    algorithm.learn(*request, trace);
  }
  return c;
}

Script lockers(int threads) {
  Script s;
  s.mutexes = 1;
  for (int t = 0; t < threads; ++t) s.thread().lock(0).unlock(0);
  return s;
}

TEST(Classics, ThreadsThatLockOneMutexGiveFactorialMany) {
  std::uint64_t factorial = 1;
  for (int threads = 1; threads <= 8; ++threads) {
    factorial *= static_cast<std::uint64_t>(threads);
    EXPECT_EQ(count<Optimal>(lockers(threads)), (Count{factorial, 0})) << threads;
  }
  EXPECT_EQ(count<Source>(lockers(6)).executions, 720u);
  EXPECT_EQ(count<Dpor>(lockers(6)).executions, 720u);
}

Script readers(int n) {
  Script s;
  s.variables = {0};
  s.thread().store(0, 1);
  for (int i = 0; i < n; ++i) s.thread().load(0, 0);
  return s;
}

TEST(Classics, OneWriterAndNReadersGiveTwoToTheN) {
  for (int n = 1; n <= 10; ++n) EXPECT_EQ(count<Optimal>(readers(n)), (Count{1u << n, 0})) << n;
}

// 002 section 3: p1 writes x twice, p2 writes y and then x.
TEST(Classics, TwoWritersOfOneVariableHaveThreeTraces) {
  Script s;
  s.variables = {0, 0};
  s.thread().store(0, 1).store(0, 2);
  s.thread().store(1, 1).store(0, 3);
  EXPECT_EQ(count<Optimal>(s), (Count{3, 0}));
  expect_agreement(s);
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

TEST(Classics, IndexerCollidesFromTwelveThreadsOn) {
  EXPECT_EQ(count<Optimal>(indexer(11)), (Count{1, 0}));
  std::uint64_t expected = 1;
  for (int threads = 12; threads <= 16; ++threads) {
    expected *= 8;
    EXPECT_EQ(count<Optimal>(indexer(threads)), (Count{expected, 0})) << threads;
  }
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

TEST(Classics, FileSystemConflictsFromFourteenThreadsOn) {
  EXPECT_EQ(count<Optimal>(file_system(13)), (Count{1, 0}));
  for (int threads = 14; threads <= 26; ++threads)
    EXPECT_EQ(count<Optimal>(file_system(threads)), (Count{1u << (threads - 13), 0})) << threads;
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

TEST(Classics, LastZeroAgreesWithEnumeration) {
  for (int n = 1; n <= 3; ++n) expect_agreement(last_zero(n));
  EXPECT_EQ(count<Optimal>(last_zero(15)), (Count{147'456, 0}));
}

}  // namespace
}  // namespace heddle::generated
