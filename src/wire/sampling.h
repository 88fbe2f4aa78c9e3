// Schedulers that sample: the same code in the runtime and in scripted programs. Freestanding.
//
// PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs,
//   ASPLOS 2010): random thread priorities, lowered at `depth` - 1 random steps. Of n threads and k steps, a bug of depth d is
//   seen with probability at least 1 / (n k^(d-1)) a run.
// POS (Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling, CAV 2018): a random priority for every pending operation; those
//   that conflict with the one just done draw again. Every partial order of a program can come out.
#pragma once
#include "wire/dependency.h"

namespace heddle::wire {

// An order of threads in a number: four bits each, first to last; 15 ends it.
inline constexpr int kMostInOrder = 15;
constexpr uint64_t packed_order(const uint8_t* threads, uint64_t count) {
  uint64_t packed = ~0ULL;
  for (uint64_t i = count < kMostInOrder ? count : kMostInOrder; i-- > 0;) packed = packed << 4 | (threads[i] & 15);
  return packed;
}
constexpr int first_in_order(uint64_t packed, const ThreadSet& among) {
  for (; (packed & 15) != 15; packed >>= 4)
    if (among.has((int)(packed & 15))) return (int)(packed & 15);
  return among.next();
}

class Draw {  // splitmix64
 public:
  explicit constexpr Draw(uint64_t seed = 0) : state_(seed) {}
  constexpr uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  constexpr uint64_t below(uint64_t n) { return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * n) >> 64); }

 private:
  uint64_t state_;
};

inline constexpr int kMaxPctDepth = 64;

class Pct {
 public:
  constexpr void begin(uint64_t seed, uint32_t depth, uint32_t horizon) {
    draw_ = Draw(seed);
    changes_ = static_cast<int>(depth > kMaxPctDepth ? kMaxPctDepth : depth) - 1;
    for (int i = 0; i < changes_; ++i) change_[i] = draw_.below(horizon ? horizon : 1);
    for (auto& p : priority_) p = 0;
  }
  // The thread to move at step `step` out of `candidates`. REQUIRES candidates not empty.
  constexpr int pick(const ThreadSet& candidates, uint64_t step) {
    for (int i = changes_; i-- > 0;)  // downwards: of two threads lowered at one step, the first stays above the second
      if (change_[i] == step) priority_[highest(candidates)] = static_cast<uint64_t>(i) + 1;  // below every thread's first priority
    return highest(candidates);
  }

 private:
  constexpr int highest(const ThreadSet& candidates) {
    int best = -1;
    for (int t = candidates.next(); t >= 0; t = candidates.next(t + 1)) {
      if (priority_[t] == 0) priority_[t] = kMaxPctDepth + 1 + (draw_.next() >> 8);
      if (best < 0 || priority_[t] > priority_[best]) best = t;
    }
    return best;
  }

  Draw draw_;
  int changes_ = 0;
  uint64_t change_[kMaxPctDepth] = {};
  uint64_t priority_[kMaxThreads] = {};
};

class Pos {
 public:
  constexpr void begin(uint64_t seed) {
    draw_ = Draw(seed);
    for (auto& p : priority_) p = 0;
  }
  // REQUIRES candidates not empty. `next` answers a thread's pending operation as an OpView.
  template <class NextOf>
  constexpr int pick(const ThreadSet& candidates, NextOf next) {
    int best = -1;
    for (int t = candidates.next(); t >= 0; t = candidates.next(t + 1)) {
      if (priority_[t] == 0) priority_[t] = draw_.next() | 1;
      if (best < 0 || priority_[t] > priority_[best]) best = t;
    }
    const OpView done = next(best);
    for (int t = candidates.next(); t >= 0; t = candidates.next(t + 1))
      if (t == best || conflict(done, next(t))) priority_[t] = 0;
    return best;
  }

 private:
  Draw draw_;
  uint64_t priority_[kMaxThreads] = {};
};

}  // namespace heddle::wire
