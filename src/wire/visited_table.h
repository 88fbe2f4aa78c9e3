// The set of visited states, in memory that the explorer and the target share, so that a run ends at the first state that is
// already known instead of running on.
//
// Open addressing with linear probing over 128-bit fingerprints; a zero fingerprint marks an empty slot (the runtime never
// makes one). The explorer inserts what a run has passed when its trace has arrived, and lets the table grow (target/visited_store.h); the
// target looks during runs. When no more memory may be had, insert() says Full and the search goes on without storing: sound, only
// slower.
#pragma once
#include "wire/wire.h"

namespace heddle::wire {

class VisitedTable {
 public:
  enum class Insert : uint8_t { New, Known, Full };

  VisitedTable() = default;
  // `slots`: power of two, zeroed before the first use. `used` counts the occupied ones; insertion stops at `limit` of them.
  VisitedTable(Fingerprint* slots, uint64_t slot_count, uint64_t* used, uint64_t limit)
      : slots_(slots), mask_(slot_count - 1), used_(used), limit_(limit) {}

  bool has(Fingerprint f) const { return !slots_[slot_of(f)].is_none(); }

  Insert insert(Fingerprint f) {
    Fingerprint& slot = slots_[slot_of(f)];
    if (!slot.is_none()) return Insert::Known;
    if (*used_ >= limit_) return Insert::Full;
    slot = f;
    ++*used_;
    return Insert::New;
  }

 private:
  // Where `f` is, or the empty slot where it would go. ENSURES an end: limit_ leaves slots empty.
  uint64_t slot_of(Fingerprint f) const {
    uint64_t i = f.low & mask_;
    while (!slots_[i].is_none() && !(slots_[i] == f)) i = (i + 1) & mask_;
    return i;
  }

  Fingerprint* slots_ = nullptr;
  uint64_t mask_ = 0;
  uint64_t* used_ = nullptr;
  uint64_t limit_ = 0;  // less than the number of slots
};

}  // namespace heddle::wire
