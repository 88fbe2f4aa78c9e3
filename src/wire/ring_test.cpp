// The ring protocol: order, wrap-around, laps, full rings, sleeping readers and writers that lie.
#include "wire/ring.h"

#include <gtest/gtest.h>

#include <atomic>
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
  EXPECT_EQ(looks_in_vain(), first);
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
