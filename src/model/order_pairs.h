// Does a program rely on memory orders that a search under sequential consistency does not explore?
//
// The pairs are those of wire/order_pairs.h, over all executions of the search. With S, M and B as
// there: if there is no B, and no S or no M, then the program has no other executions under C++'s
// memory model: without M it is free of races in the sense of RC11's DRF theorem, and without S all
// that could differ from an interleaving lies within happens-before. The same holds if all pairs
// lie at one location: coherence makes the accesses of one location sequentially consistent.
// S and M together do not suffice: x.store(1); c.fetch_add(1, relaxed) beside
// c.fetch_add(1, relaxed); x.load().
#pragma once
#include <span>
#include <vector>

#include "wire/order_pairs.h"

namespace heddle {

using wire::AtomicAccess;
using wire::AtomicOp;
using wire::OrderPair;
using wire::PairKind;

// Accesses of two sizes, or that overlap in part, are at two locations.
bool relies_on_orders(std::span<const OrderPair> pairs);

// Those first that alone, or with fewest others, make the program rely on orders.
void sort_by_weight(std::vector<OrderPair>& pairs);

// A set: a pair that is known in the other order is not added.
void add_pairs(std::vector<OrderPair>& all, std::span<const OrderPair> more);

const char* order_name(std::uint8_t order);  // "relaxed", "seq_cst", …
const char* atomic_op_name(AtomicOp op);     // "load", "store", "read-modify-write"

}  // namespace heddle
