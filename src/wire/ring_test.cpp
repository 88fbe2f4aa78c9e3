// The ring protocol: order, wrap-around, laps, full rings, sleeping readers and writers that lie.
#include "wire/ring.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

namespace heddle::wire {
namespace {

struct TestRing {
  explicit TestRing(uint64_t bytes) : storage(bytes) { view = {&ring, storage.data(), bytes}; }

  bool put(uint32_t size, unsigned char fill) {
    unsigned char* at = ring_reserve(view, size, [this](uint32_t*) { ++wakes; });
    if (at == nullptr) return false;
    std::memset(at, fill, size);
    std::memcpy(at, &size, sizeof size);
    ring_advance(view, size, [this](uint32_t*) { ++wakes; });
    return true;
  }

  // The fill byte of the next message, -1 if there is none.
  int take() {
    const RingMessage message = ring_peek(view);
    if (message.data == nullptr) return -1;
    const uint32_t size = load_message_size(message.data);
    EXPECT_LE(size, message.available);
    const int fill = message.data[size - 1];
    ring_release(view, size);
    return fill;
  }

  Ring ring;
  alignas(8) std::vector<unsigned char> storage;
  RingView view;
  int wakes = 0;
};

TEST(Ring, MessagesArriveInOrder) {
  TestRing r(256);
  ASSERT_TRUE(r.put(16, 1));
  ASSERT_TRUE(r.put(24, 2));
  EXPECT_EQ(r.take(), 1);
  EXPECT_EQ(r.take(), 2);
  EXPECT_EQ(r.take(), -1);
}

TEST(Ring, FullRingRefusesUntilReleased) {
  TestRing r(64);
  ASSERT_TRUE(r.put(64, 1));
  EXPECT_FALSE(r.put(8, 2));
  EXPECT_EQ(r.take(), 1);
  EXPECT_TRUE(r.put(8, 2));
}

TEST(Ring, WrapsWithSkipMark) {
  TestRing r(64);
  for (int i = 0; i < 100; ++i) {  // 40 never fits twice: every second message skips to the start
    while (!r.put(40, static_cast<unsigned char>(i))) EXPECT_EQ(r.take(), -1);
    EXPECT_EQ(r.take(), i);
  }
}

TEST(Ring, MessageAsLargeAsTheRingFitsAnywhere) {
  TestRing r(64);
  ASSERT_TRUE(r.put(24, 1));
  EXPECT_EQ(r.take(), 1);
  EXPECT_FALSE(r.put(64, 2));  // publishes the skip mark
  EXPECT_EQ(r.take(), -1);     // which the reader consumes
  EXPECT_TRUE(r.put(64, 2));
  EXPECT_EQ(r.take(), 2);
}

TEST(Ring, LargeRingStaysWithinOneLap) {
  TestRing r(64 * kLapBytes);
  for (int i = 0; i < 10000; ++i) {
    ASSERT_TRUE(r.put(4096, 7));
    EXPECT_LE(r.ring.written % r.view.bytes, kLapBytes + 4096);
    ASSERT_EQ(r.take(), 7);
  }
}

TEST(Ring, SleepingReaderIsWokenOnce) {
  TestRing r(256);
  r.ring.sleeping_reader = 1;
  ASSERT_TRUE(r.put(16, 1));
  ASSERT_TRUE(r.put(16, 2));
  EXPECT_EQ(r.wakes, 1);
  EXPECT_EQ(r.ring.sleeping_reader, 0u);
}

TEST(Ring, SleepIsSkippedWhenSomethingArrived) {
  TestRing r(256);
  ASSERT_TRUE(r.put(16, 1));
  bool slept = false;
  ring_sleep(r.view, [&](uint32_t*) { slept = true; });
  EXPECT_FALSE(slept);
}

// Two ends that wait for each other touch few pages.
TEST(Ring, AnEmptyRingStaysOnItsFirstPages) {
  TestRing r(4 * kLapBytes);
  constexpr uint32_t kMessage = 3000;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(r.put(kMessage, static_cast<unsigned char>(i)));
    ASSERT_EQ(r.take(), i & 0xff);
    ASSERT_LE(r.ring.written % r.view.bytes, kShortLapBytes + kMessage);
  }
}

TEST(Ring, TellsWhoIsBesideTheWriter) {
  TestRing r(256);
  EXPECT_FALSE(beside_writer(r.view));  // it has never written
  r.put(16, 1);
  if (processor_here() == 0) GTEST_SKIP() << "processors have no numbers here";
  r.ring.writer_at = processor_here() + 1;
  EXPECT_FALSE(beside_writer(r.view));
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);  // the next two are on one processor
  ring_tell_processor(r.view);
  EXPECT_TRUE(beside_writer(r.view));
  EXPECT_EQ(r.ring.writer_at, static_cast<uint32_t>(sched_getcpu()) + 1);
  sched_setaffinity(0, sizeof all, &all);
}

TEST(Ring, ImpossibleCountsAreBroken) {
  TestRing r(256);
  r.ring.written = 1000;  // more than the ring holds
  EXPECT_TRUE(ring_peek(r.view).broken);
  r.ring.written = 12;  // not a multiple of 8
  r.storage[0] = 12;
  EXPECT_TRUE(ring_peek(r.view).broken);
  r.ring.written = 16;  // a skip mark that does not reach the end
  r.storage[0] = 0;
  EXPECT_TRUE(ring_peek(r.view).broken);
}

TEST(Spinner, SpinsLessWhereItDoesNotHelpAndMoreWhereItDoes) {
  Spinner spinner;
  auto looks_in_vain = [&] {
    int looks = 0;
    EXPECT_FALSE(spinner.wait([&] { return ++looks < 0; }));
    return looks;
  };
  const int first = looks_in_vain();
  for (int i = 0; i < 20; ++i) looks_in_vain();
  const int last = looks_in_vain();
  EXPECT_LT(last * 10, first);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(spinner.wait([] { return true; }));
  EXPECT_GT(looks_in_vain(), last * 10);
}

// Whoever is on our processor waits for us to sleep.
TEST(Spinner, DoesNotSpinBesideTheOther) {
  Spinner spinner, fresh;
  auto looks_in_vain = [](Spinner& one, bool beside) {
    int looks = 0;
    EXPECT_FALSE(one.wait([&] { return ++looks < 0; }, beside));
    return looks;
  };
  const int most = looks_in_vain(fresh, false);
  for (int i = 0; i < 100; ++i) EXPECT_LT(looks_in_vain(spinner, true), most / 100);
  EXPECT_EQ(looks_in_vain(spinner, false), most);
}

// With a busy loop on the same processor, a search made 1,300 executions a second where it makes 25,000 by sleeping.
class GiveWayTest : public testing::Test {
 protected:
  // Yields of so many waits, each of which takes so long.
  int yields_of(int waits, bool ready, uint64_t ticks) {
    int yields = 0;
    uint64_t now = 0;
    for (int i = 0; i < waits; ++i)
      ends_.wait([&] { return ready; }, [&] { return ticks > kLateTicks; }, [&] { ++yields, now += ticks; }, [&] { return now; });
    return yields;
  }
  static constexpr uint64_t kSlice = 2 * kLateTicks, kMoment = 1000;

 private:
  GiveWay ends_;
};

TEST_F(GiveWayTest, SleepsWhereOthersGetTheProcessor) {
  EXPECT_EQ(yields_of(10, true, kMoment), 10);
  EXPECT_LE(yields_of(100'000, false, kSlice), 50);  // ever more rarely
  EXPECT_GE(yields_of(100'000, true, kMoment), 50'000);  // found out in the end that it helps, and from then on each time
  EXPECT_LE(yields_of(100'000, true, kSlice), 25);
  for (int i = 0; i < 1'000; ++i) yields_of(1, true, i % 8 == 0 ? kSlice : kMoment);
  EXPECT_LE(yields_of(10'000, true, kSlice), 8);  // now and then is not enough
}

// As rank 0 of MPI does, a thousand times a second. Seen to fail where that was counted as a slice of its own.
TEST_F(GiveWayTest, SomebodyWhoComesAndGoesIsNoReasonToSleep) {
  for (int i = 0; i < 1'000; ++i) yields_of(1, i % 8 != 0, kMoment);
  EXPECT_EQ(yields_of(10, true, kMoment), 10);
}

TEST(Ring, LateIsWhatWaitedForASliceOfSomebodyElse) {
  TestRing r(256);
  ring_tell_processor(r.view);
  EXPECT_FALSE(ring_is_late(r.view));
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(ring_is_late(r.view));
}

TEST(Ring, TwoThreadsHandOverEverything) {
  TestRing r(4096);
  constexpr int kMessages = 200000;
  std::thread writer([&] {
    for (int i = 0; i < kMessages; ++i) {
      const uint32_t size = 8 + 8 * (i % 37);
      unsigned char* at;
      while ((at = ring_reserve(r.view, size, [](uint32_t*) {})) == nullptr) std::this_thread::yield();
      std::memset(at, i & 0xff, size);
      std::memcpy(at, &size, sizeof size);
      ring_advance(r.view, size, [](uint32_t*) {});
    }
  });
  int wrong = 0;
  for (int i = 0; i < kMessages; ++i) {
    RingMessage message;
    while ((message = ring_peek(r.view)).data == nullptr && !message.broken) std::this_thread::yield();
    ASSERT_FALSE(message.broken);
    const uint32_t size = load_message_size(message.data);
    wrong += size != 8 + 8 * static_cast<uint32_t>(i % 37) || message.data[size - 1] != (i & 0xff);
    ring_release(r.view, size);
  }
  writer.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace heddle::wire
