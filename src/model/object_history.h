// What has happened to each object so far in a run, as indices of events: just enough to order the next event and to find
// the races it takes part in, so that a run costs time linear in its length.
//
// Histories are reused from run to run; clearing them is counting up a stamp.
#pragma once
#include <cstdint>
#include <vector>

#include "model/trace.h"

namespace heddle {

inline constexpr std::uint32_t kNoEvent = 0xffff'ffff;

// The latest event of each thread in some role.
class LatestPerThread {
 public:
  void clear() { items_.clear(); }
  void put(std::uint32_t event, std::uint8_t thread) {
    for (Item& i : items_)
      if (i.thread == thread) {
        i.event = event;
        return;
      }
    items_.push_back({event, thread});
  }
  template <class F>
  void each(F f) const {
    for (const Item& i : items_) f(i.event);
  }
  bool empty() const { return items_.empty(); }

 private:
  struct Item {
    std::uint32_t event;
    std::uint8_t thread;
  };
  std::vector<Item> items_;
};

// Which fields an object uses depends on its class; see causality_*.cpp.
struct ObjectHistory {
  Address address = 0;
  std::uint32_t size = 0;
  wire::OpClass cls{};
  std::uint32_t stamp = 0;

  std::uint32_t last = kNoEvent;     // of those that are ordered with all others on this object
  std::uint32_t acquire = kNoEvent;  // last that took it (mutex, rwlock for writing, semaphore, once)
  std::uint32_t newest = kNoEvent;   // rwlock: last that took it for reading or writing
  std::uint8_t owner = wire::kNoThread;
  std::uint32_t depth = 0;           // of a recursive mutex
  LatestPerThread shared;            // since `last`: reads, posts, read locks, waits
  LatestPerThread tries;             // since `last`: attempts to read-lock; looks at a semaphore; departures from a queue
  LatestPerThread gives;             // since `last`: read unlocks
  LatestPerThread readers;           // since `acquire`: read locks that succeeded
  ThreadSet queue;                   // waiting on a condition variable or futex
  std::vector<std::uint32_t> overlapping;  // memory: histories (this one included) whose bytes overlap

  void forget() {
    last = acquire = newest = kNoEvent;
    owner = wire::kNoThread;
    depth = 0;
    shared.clear();
    tries.clear();
    gives.clear();
    readers.clear();
    queue = {};
  }
};

class ObjectTable {
 public:
  void begin_run();

  // The history of the object; memory is told apart by address and size. References hold until the next call.
  ObjectHistory& at(wire::OpClass cls, Address address, std::uint32_t size = 0) { return objects_[find(cls, address, size)]; }
  std::uint32_t find(wire::OpClass cls, Address address, std::uint32_t size);
  ObjectHistory& operator[](std::uint32_t i) {
    if (objects_[i].stamp != stamp_) refresh(objects_[i]);
    return objects_[i];
  }

 private:
  static std::uint64_t hash(wire::OpClass cls, Address address, std::uint32_t size);
  std::uint32_t insert(wire::OpClass cls, Address address, std::uint32_t size);
  void refresh(ObjectHistory& o) const {
    o.stamp = stamp_;
    o.forget();
  }
  void note_overlaps(std::uint32_t added);
  void grow();

  std::vector<ObjectHistory> objects_;
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(64, kNoEvent);  // open addressing, index into objects_
  std::vector<std::pair<Address, std::uint32_t>> by_address_;                      // memory, sorted
  std::uint32_t widest_ = 0;
  std::uint32_t stamp_ = 0;
};

}  // namespace heddle
