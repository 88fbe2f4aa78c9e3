// The ring protocol of wire.h, as code that both ends share: the explorer and the runtime (which has no standard library).
//
// One writer and one reader per ring. Messages are contiguous, multiples of 8 bytes, and begin with their own size as a
// uint32_t.
//   written, consumed   count bytes and only grow; a position in the ring is index % bytes
//   size 0              skip mark: the writer went on at the ring's start, so does the reader
//   sleeping_reader     1 while the reader sleeps on it; the writer takes it back to 0 and wakes
//
// Laps. A ring is as large as the largest message needs (128 MB), but walking through all of it would take every message
// through memory instead of the cache. So the writer goes back to the start after kLapBytes, once the reader has left
// enough room there, and after kShortLapBytes if the reader has taken everything: two ends that wait for each other stay on
// the same few pages, since the first touch of a page costs more than a short run. To the reader this is an ordinary skip
// mark.
//
// Trust: the place and size of the ring's bytes come from the RingView that each end made for itself, never from the
// segment. What the other end counts is checked; a count that cannot be is RingMessage::broken.
#pragma once
#include "wire/wire.h"

namespace heddle::wire {

// The processor that we are on, plus one; 0: not known. The kernel keeps its number in the limit of a segment that nobody
// uses.
inline uint32_t processor_here() {
#if defined(__x86_64__)
  constexpr uint32_t kSegment = 0x7b;
  uint32_t limit;
  asm volatile("lsl %1, %0" : "=r"(limit) : "r"(kSegment) : "cc");
  return (limit & 0xfff) + 1;
#else
  return 0;
#endif
}

// Time, roughly: two to five of them are a nanosecond.
inline uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return 0;
#endif
}

// Waiting for the other end by looking again and again, for as long as that has been worth it lately. Where the processors
// are busy with others, spinning only keeps the other end from running; then the budget shrinks to nearly nothing. Now and
// then it is tried in full again: two ends that have both gone over to sleeping would otherwise never find out that they
// need not. An end that is `beside` us, on the same processor, cannot move before we sleep. That says nothing about later.
class Spinner {
 public:
  template <class Ready>
  bool wait(Ready ready, bool beside = false) {
    const bool probe = !beside && ++waits_ % kProbeEvery == 0;
    const uint32_t budget = probe ? kMost : beside ? kLeast : budget_;
    for (uint32_t i = 0; i < budget; ++i) {
      if (ready()) {
        budget_ = probe || budget_ >= kMost / 2 ? kMost : budget_ * 2;
        return true;
      }
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    if (!beside) budget_ = budget_ / 2 > kLeast ? budget_ / 2 : kLeast;
    return false;
  }

 private:
  // A pause takes 40 to 140 cycles: kMost of them are 60 to 200 microseconds, as long as it takes to wake a sleeper.
  static constexpr uint32_t kLeast = 16, kMost = 4096, kProbeEvery = 16;
  uint32_t budget_ = 4 * kMost;  // what is done for the first time takes longer than ever after
  uint32_t waits_ = 0;
};

// Longer than two turns on one processor take to follow each other: somebody else had a slice in between.
inline constexpr uint64_t kLateTicks = 600'000;

// Waiting for an end that has no other processor than ours: it gets ours. Then neither of the two has to be woken, which costs as much again as the two
// switches themselves. But where others want the processor, too, they get it for milliseconds at a time, while a sleeper would be preferred to them: there it
// is tried ever more rarely. Somebody who comes and goes at once is no reason.
class GiveWay {
 public:
  // `yield()` lets others have the processor. `late()`: what is ready now has been for long. `now()` counts ticks.
  template <class Ready, class Late, class Yield, class Now>
  bool wait(Ready ready, Late late, Yield yield, Now now) {
    if (waits_ > 0) return --waits_, false;
    const uint64_t begun = now();
    bool came = false;
    for (uint32_t i = 0; i < kMost && !came; ++i) {
      yield();
      came = ready();
    }
    if (came ? late() : now() - begun > kLateTicks) miss();
    else if (came) hit();
    return came;
  }

 private:
  void hit() {
    if (misses_ == 0 || ++hits_ < kHitsForAMiss) return;
    hits_ = 0;
    --misses_;
  }
  void miss() {
    hits_ = 0;
    if (misses_ < kMostMisses) ++misses_;
    waits_ = (1u << misses_) - 1;
  }

  static constexpr uint32_t kMost = 2, kMostMisses = 14, kHitsForAMiss = 16;
  uint32_t misses_ = 0;  // that have not been made up for
  uint32_t hits_ = 0;    // in a row
  uint32_t waits_ = 0;   // that are left until it is tried again
};

inline constexpr uint64_t kLapBytes = 512 * 1024, kShortLapBytes = 16 * 1024;

// How one end sees a ring: the shared indexes, and its own idea of where the bytes are.
struct RingView {
  Ring* ring = nullptr;
  unsigned char* data = nullptr;
  uint64_t bytes = 0;  // multiple of 8
};

struct RingMessage {
  const unsigned char* data = nullptr;  // null: nothing there
  uint64_t available = 0;               // the message can be at most this long
  bool broken = false;                  // the writer's counts make no sense
};

inline uint32_t load_message_size(const unsigned char* at) {
  return __atomic_load_n(reinterpret_cast<const uint32_t*>(at), __ATOMIC_RELAXED);
}

// --- writer ----------------------------------------------------------------------------------------------------------

inline void ring_tell_processor(const RingView& v) {
  __atomic_store_n(&v.ring->writer_at, processor_here(), __ATOMIC_RELAXED);
  __atomic_store_n(&v.ring->written_at, ticks(), __ATOMIC_RELAXED);
}

// Make what was written visible to the reader, and let it sleep on if it sleeps.
inline void ring_publish(const RingView& v, uint64_t by) {
  const uint64_t written = __atomic_load_n(&v.ring->written, __ATOMIC_RELAXED);
  ring_tell_processor(v);
  __atomic_store_n(&v.ring->written, written + by, __ATOMIC_SEQ_CST);
}

// `wake(uint32_t* word)` wakes the one that sleeps on it.
template <class Wake>
inline void ring_wake(const RingView& v, Wake wake) {
  if (__atomic_exchange_n(&v.ring->sleeping_reader, 0, __ATOMIC_SEQ_CST) == 1) wake(&v.ring->sleeping_reader);
}

// Both.
template <class Wake>
inline void ring_advance(const RingView& v, uint64_t by, Wake wake) {
  ring_publish(v, by);
  ring_wake(v, wake);
}

// Where a message of `need` bytes may be written now, or null if the reader has to make room first.
// REQUIRES need is a multiple of 8 and at most v.bytes. May publish a skip mark; then call ring_advance for the message.
template <class Wake>
inline unsigned char* ring_reserve(const RingView& v, uint64_t need, Wake wake) {
  const uint64_t written = __atomic_load_n(&v.ring->written, __ATOMIC_RELAXED);
  const uint64_t consumed = __atomic_load_n(&v.ring->consumed, __ATOMIC_ACQUIRE);
  const uint64_t position = written % v.bytes;
  const uint64_t to_end = v.bytes - position;
  const uint64_t used = written - consumed;
  const bool must_skip = need > to_end;
  const bool may_skip = position >= (used == 0 ? kShortLapBytes : kLapBytes) && used + to_end + need <= v.bytes;
  if (!must_skip && !may_skip) return used + need <= v.bytes ? v.data + position : nullptr;
  if (used + to_end > v.bytes) return nullptr;
  __atomic_store_n(reinterpret_cast<uint32_t*>(v.data + position), 0u, __ATOMIC_RELAXED);
  ring_advance(v, to_end, wake);
  return used + to_end + need <= v.bytes ? v.data : nullptr;
}

// --- reader ----------------------------------------------------------------------------------------------------------

// The next message, left in place until ring_release.
inline RingMessage ring_peek(const RingView& v) {
  for (;;) {
    const uint64_t consumed = __atomic_load_n(&v.ring->consumed, __ATOMIC_RELAXED);
    const uint64_t written = __atomic_load_n(&v.ring->written, __ATOMIC_SEQ_CST);
    const uint64_t used = written - consumed;
    if (used == 0) return {};
    const uint64_t position = consumed % v.bytes;
    const uint64_t to_end = v.bytes - position;
    if (used > v.bytes || (used & 7) != 0 || (consumed & 7) != 0) return {nullptr, 0, true};
    if (load_message_size(v.data + position) != 0) return {v.data + position, used < to_end ? used : to_end, false};
    if (used < to_end) return {nullptr, 0, true};
    __atomic_store_n(&v.ring->consumed, consumed + to_end, __ATOMIC_RELEASE);
  }
}

// Is the writer on our processor, as far as we know?
inline bool beside_writer(const RingView& v) {
  const uint32_t there = __atomic_load_n(&v.ring->writer_at, __ATOMIC_RELAXED);
  return there != 0 && there == processor_here();
}

// Was the last message written so long ago that the writer's and our turns cannot have followed each other?
inline bool ring_is_late(const RingView& v) {
  return ticks() - __atomic_load_n(&v.ring->written_at, __ATOMIC_RELAXED) > kLateTicks;
}

// Give a message's bytes back to the writer. REQUIRES bytes is the size of the message that ring_peek showed.
inline void ring_release(const RingView& v, uint64_t bytes) {
  const uint64_t consumed = __atomic_load_n(&v.ring->consumed, __ATOMIC_RELAXED);
  __atomic_store_n(&v.ring->consumed, consumed + bytes, __ATOMIC_RELEASE);
}

// Sleep until the writer publishes or `sleep` has enough. `sleep(uint32_t* word)` is a futex wait for as long as *word == 1.
template <class Sleep>
inline void ring_sleep(const RingView& v, Sleep sleep) {
  __atomic_store_n(&v.ring->sleeping_reader, 1, __ATOMIC_SEQ_CST);
  const uint64_t written = __atomic_load_n(&v.ring->written, __ATOMIC_SEQ_CST);
  if (written == __atomic_load_n(&v.ring->consumed, __ATOMIC_RELAXED)) sleep(&v.ring->sleeping_reader);
  __atomic_store_n(&v.ring->sleeping_reader, 0, __ATOMIC_SEQ_CST);
}

}  // namespace heddle::wire
