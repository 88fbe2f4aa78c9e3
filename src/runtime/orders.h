// Watches for pairs of conflicting atomic accesses that happens-before does not order
// (wire/order_pairs.h).
#pragma once
#include <stdint.h>

#include "wire/order_pairs.h"

namespace heddle::rt {

struct Object;

// The last access of one kind that a thread has made to some of 16 aligned bytes.
struct OrderCell {
  uint64_t pc;
  uint32_t next;   // number of another cell of the same 16 bytes, plus one; 0: none
  uint32_t clock;  // the thread's own, at the access
  uint16_t bytes;  // which of the 16
  uint8_t thread;
  wire::AtomicOp op;
  uint8_t order;
  uint8_t pad[3];
};

// 16 aligned bytes in which there are atomic objects.
struct OrderBlock {
  uint64_t address;
  uint32_t next;   // of one bucket: number of another block, plus one
  uint32_t cells;  // number of the first, plus one
};

inline constexpr uint32_t kMaxOrderCells = 1 << 20;
inline constexpr uint32_t kMaxOrderBlocks = 1 << 18;
inline constexpr uint32_t kOrderBuckets = 1 << 12;

// In the runtime's own memory.
struct OrderWatch {
  uint32_t cell_count, block_count;
  struct {
    uint32_t run, block;
  } buckets[kOrderBuckets];
  OrderBlock blocks[kMaxOrderBlocks];
  OrderCell cells[kMaxOrderCells];
};

void orders_begin_run();

// The running thread accesses an atomic object. REQUIRES that what it acquires by the access is in
// its clock already, and that what it releases has not changed its clock yet.
void watch_order(Object& o, uint64_t address, uint32_t size, wire::AtomicOp op, int order, uint64_t pc);

}  // namespace heddle::rt
