// Pairs of conflicting atomic accesses that happens-before does not order, as the target notes them.
//
// A search under sequential consistency that meets such pairs may not have seen all that C++ allows.
// Which sets of pairs matter is decided by relies_on_orders() of model/order_pairs.h. Two locations
// of each kind are enough to decide it, also when the notes of many processes come together.
#pragma once
#include <stdint.h>

namespace heddle::wire {

enum class PairKind : uint8_t {
  SeqCst,    // S: both seq_cst, not both read-modify-writes
  Modifies,  // M: both read-modify-writes that wrote, at least one weaker than acq_rel
  Other,     // B: all others, but for two read-modify-writes of acq_rel or stronger: these do no harm
  kCount
};

enum class AtomicOp : uint8_t { Load, Store, Modify, kCount };

struct AtomicAccess {
  uint64_t pc = 0;      // an Address, like `location` below
  uint64_t location = 0;
  uint32_t size = 0;
  AtomicOp op{};
  uint8_t order = 0;    // __ATOMIC_RELAXED …
  uint8_t pad[2] = {};
};

struct OrderPair {
  AtomicAccess first, second;  // in the order of the run that showed it
  PairKind kind{};
  uint8_t pad[7] = {};
};

inline constexpr int kPairKinds = static_cast<int>(PairKind::kCount);
inline constexpr int kPairLocations = 2;

struct OrderPairTable {
  uint32_t settled = 0;              // 1: the answer cannot change any more
  uint32_t count[kPairKinds] = {};   // grows once a pair is complete
  OrderPair pairs[kPairKinds][kPairLocations];  // of one kind: at different locations
};

}  // namespace heddle::wire
