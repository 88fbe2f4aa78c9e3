// The programs of the papers, with the counts that they are known by.
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "classics.h"
#include "critical_sections.h"
#include "expect_agreement.h"
#include "explore/reduction/dpor.h"
#include "explore/reduction/optimal.h"
#include "explore/reduction/reference/enumeration.h"
#include "explore/reduction/source.h"
#include "model/views.h"
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

TEST(Classics, ThreadsThatLockOneMutexGiveFactorialMany) {
  std::uint64_t factorial = 1;
  for (int threads = 1; threads <= 8; ++threads) {
    factorial *= static_cast<std::uint64_t>(threads);
    EXPECT_EQ(count<Optimal>(lockers(threads)), (Count{factorial, 0})) << threads;
  }
  EXPECT_EQ(count<Source>(lockers(6)).executions, 720u);
  EXPECT_EQ(count<Dpor>(lockers(6)).executions, 720u);
}

TEST(Classics, OneWriterAndNReadersGiveTwoToTheN) {
  for (int n = 1; n <= 10; ++n) EXPECT_EQ(count<Optimal>(readers(n)), (Count{1u << n, 0})) << n;
}

TEST(Classics, TwoWritersOfOneVariableHaveThreeTraces) {
  EXPECT_EQ(count<Optimal>(two_writers()), (Count{3, 0}));
  expect_agreement(two_writers());
}

TEST(Classics, IndexerCollidesFromTwelveThreadsOn) {
  EXPECT_EQ(count<Optimal>(indexer(11)), (Count{1, 0}));
  std::uint64_t expected = 1;
  for (int threads = 12; threads <= 16; ++threads) {
    expected *= 8;
    EXPECT_EQ(count<Optimal>(indexer(threads)), (Count{expected, 0})) << threads;
  }
}

TEST(Classics, FileSystemConflictsFromFourteenThreadsOn) {
  EXPECT_EQ(count<Optimal>(file_system(13)), (Count{1, 0}));
  for (int threads = 14; threads <= 26; ++threads)
    EXPECT_EQ(count<Optimal>(file_system(threads)), (Count{1u << (threads - 13), 0})) << threads;
}

TEST(Classics, LastZeroAgreesWithEnumeration) {
  for (int n = 1; n <= 3; ++n) expect_agreement(last_zero(n));
  EXPECT_EQ(count<Optimal>(last_zero(15)), (Count{147'456, 0}));
}

TEST(Classics, SpinningLocksAgreeWithEnumeration) {
  expect_agreement(flag_spin());
  expect_agreement(test_and_set_lock(2));
  expect_agreement(ticket_lock(2));
  expect_agreement(ticket_lock(3));
}

// Ways through the buffer, counted without any search. A signal may wake any waiter.
TEST(Classics, BoundedBuffer) {
  const std::array<std::array<int, 4>, 7> buffers = {{{2, 2, 2, 1}, {1, 2, 2, 1}, {2, 2, 2, 2}, {1, 3, 2, 1}, {2, 1, 3, 2}, {2, 3, 3, 1}, {3, 3, 3, 1}}};
  for (const auto& [slots, producers, consumers, items] : buffers) {
    const std::uint64_t ways = critical_sections(slots, producers, consumers, items);
    EXPECT_EQ(count<Optimal>(bounded_buffer(slots, producers, consumers, items)), (Count{ways, 0})) << slots << " " << producers << "+" << consumers << " " << items;
  }
  EXPECT_EQ(critical_sections(2, 2, 2, 1), 60u);
  EXPECT_EQ(critical_sections(2, 2, 2, 2), 33'192u);
  expect_agreement(bounded_buffer(2, 1, 1, 2));
}

// What 003 counts for bbuf (1,938,816) are the ways through two slots if the longest waiter is always the one that is woken. POSIX promises no
// such order; with any waiter there are 10,020,672, and half as many if there is a slot for every item.
TEST(Classics, BoundedBufferOfThePaper) {
  EXPECT_EQ(critical_sections(2, 4, 4, 1, Wakes::Longest), 1'938'816u);
  EXPECT_EQ(critical_sections(2, 4, 4, 1), 10'020'672u);
  EXPECT_EQ(critical_sections(4, 4, 4, 1), 5'001'984u);
}

// In 60 traces the critical sections follow each other in 52 ways: when both consumers wait and the second item is put before either is back, it
// makes no difference to that order which of them the first signal woke.
TEST(Classics, BoundedBufferHasFewerOrdersOfSectionsThanTraces) {
  ScriptedProgram program(bounded_buffer(2, 2, 2, 1), {.races = false, .final_state = false});
  Optimal optimal;
  std::set<std::string> orders;
  while (auto request = optimal.next()) {
    const Trace trace = program.run(*request).value();
    std::string order;
    for (const Event& e : trace.events)
      if (takes_mutex(e)) order += static_cast<char>('0' + e.thread);
    orders.insert(order);
    optimal.learn(*request, trace);
  }
  EXPECT_EQ(orders.size(), 52u);
}

}  // namespace
}  // namespace heddle::generated
