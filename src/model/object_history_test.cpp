#include "model/object_history.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "model/hand_made_trace_test.h"

namespace heddle {
namespace {

using wire::OpClass;

TEST(LatestPerThread, KeepsOneEventAThread) {
  LatestPerThread latest;
  latest.put(3, 0);
  latest.put(4, 1);
  latest.put(9, 0);
  std::vector<std::uint32_t> events;
  latest.each([&](std::uint32_t e) { events.push_back(e); });
  std::sort(events.begin(), events.end());
  EXPECT_EQ(events, (std::vector<std::uint32_t>{4, 9}));
  latest.clear();
  EXPECT_TRUE(latest.empty());
}

TEST(ObjectTable, ClassesDoNotMix) {
  ObjectTable table;
  table.begin_run();
  table.at(OpClass::Mutex, object(0)).last = 1;
  table.at(OpClass::Cond, object(0)).last = 2;
  EXPECT_EQ(table.at(OpClass::Mutex, object(0)).last, 1u);
  EXPECT_EQ(table.at(OpClass::Cond, object(0)).last, 2u);
}

TEST(ObjectTable, ForgetsWithEachRun) {
  ObjectTable table;
  table.begin_run();
  ObjectHistory& mutex = table.at(OpClass::Mutex, object(0));
  mutex.last = mutex.acquire = 5;
  mutex.owner = 2;
  mutex.shared.put(1, 1);
  table.begin_run();
  const ObjectHistory& again = table.at(OpClass::Mutex, object(0));
  EXPECT_EQ(again.last, kNoEvent);
  EXPECT_EQ(again.acquire, kNoEvent);
  EXPECT_EQ(again.owner, wire::kNoThread);
  EXPECT_TRUE(again.shared.empty());
}

// Pieces of memory that overlap know each other, in whichever order they came, and in later runs too.
TEST(ObjectTable, OverlappingMemory) {
  ObjectTable table;
  table.begin_run();
  const auto word = table.find(OpClass::Memory, variable(0), 8);
  const auto low = table.find(OpClass::Memory, variable(0), 4);
  const auto high = table.find(OpClass::Memory, variable(0) + 4, 4);
  const auto far = table.find(OpClass::Memory, variable(1), 8);
  table.begin_run();
  auto overlapping = [&](std::uint32_t o) {
    auto found = table[o].overlapping;
    std::sort(found.begin(), found.end());
    return found;
  };
  auto sorted = [](std::vector<std::uint32_t> v) {
    std::sort(v.begin(), v.end());
    return v;
  };
  EXPECT_EQ(overlapping(word), sorted({word, low, high}));
  EXPECT_EQ(overlapping(low), sorted({word, low}));
  EXPECT_EQ(overlapping(high), sorted({word, high}));
  EXPECT_EQ(overlapping(far), sorted({far}));
}

TEST(ObjectTable, HoldsManyObjects) {
  ObjectTable table;
  table.begin_run();
  for (int i = 0; i < 5000; ++i) table.at(OpClass::Mutex, object(i)).last = static_cast<std::uint32_t>(i);
  for (int i = 0; i < 5000; ++i) EXPECT_EQ(table.at(OpClass::Mutex, object(i)).last, static_cast<std::uint32_t>(i));
}

}  // namespace
}  // namespace heddle
