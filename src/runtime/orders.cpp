// Which pairs of atomic accesses happens-before leaves unordered.
//
// Per 16 aligned bytes there is a list of accesses: for each thread the last one of each operation,
// order and set of bytes. That is enough: what is not ordered after an earlier access of these is
// not ordered after the last one, either. Once the segment's table says that the answer cannot
// change, nothing is watched any more.
#include "runtime/orders.h"

#include <initializer_list>

#include "runtime/runtime.h"

namespace heddle::rt {
namespace {

using wire::AtomicOp;
using wire::OrderPair;
using wire::PairKind;

OrderWatch& watch() { return R().order_watch; }

uint32_t new_block(uint64_t address) {
  OrderWatch& w = watch();
  auto& bucket = w.buckets[(address >> 4) * 0x9e3779b97f4a7c15ULL >> 52];
  static_assert(kOrderBuckets == 1 << 12);
  if (bucket.run != R().run) bucket = {R().run, 0};
  for (uint32_t b = bucket.block; b; b = w.blocks[b - 1].next)
    if (w.blocks[b - 1].address == address) return b;
  if (w.block_count == kMaxOrderBlocks) fatal("too many atomic variables in one run");
  w.blocks[w.block_count] = {address, bucket.block, 0};
  return bucket.block = ++w.block_count;
}

bool is_modify(AtomicOp op) { return op == AtomicOp::Modify; }
bool is_strong(int order) { return order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST; }

// False: the pair does no harm.
bool kind_of_pair(const OrderCell& a, const OrderCell& b, PairKind& kind) {
  if (is_modify(a.op) && is_modify(b.op)) {
    kind = PairKind::Modifies;
    return !is_strong(a.order) || !is_strong(b.order);
  }
  const bool seq_cst = a.order == __ATOMIC_SEQ_CST && b.order == __ATOMIC_SEQ_CST;
  kind = seq_cst ? PairKind::SeqCst : PairKind::Other;
  return true;
}

wire::AtomicAccess access_of(const OrderBlock& block, const OrderCell& c) {
  wire::AtomicAccess a;
  a.pc = name_of(c.pc);
  a.location = name_of(block.address + (uint64_t)__builtin_ctz(c.bytes));
  a.size = (uint32_t)__builtin_popcount(c.bytes);
  a.op = c.op;
  a.order = c.order;
  return a;
}

bool same_place(const OrderPair& a, const OrderPair& b) {
  return a.first.location == b.first.location && a.first.size == b.first.size && a.second.location == b.second.location &&
         a.second.size == b.second.size;
}

// As relies_on_orders() of model/order_pairs.h decides.
bool is_settled(const wire::OrderPairTable& t) {
  auto count = [&](PairKind kind) { return t.count[(int)kind]; };
  if (!count(PairKind::Other) && !(count(PairKind::SeqCst) && count(PairKind::Modifies))) return false;
  const wire::AtomicAccess* at = nullptr;
  for (int kind = 0; kind < wire::kPairKinds; ++kind)
    for (uint32_t i = 0; i < t.count[kind]; ++i)
      for (const wire::AtomicAccess* a : {&t.pairs[kind][i].first, &t.pairs[kind][i].second}) {
        if (!at) at = a;
        if (a->location != at->location || a->size != at->size) return true;
      }
  return false;
}

void note(const OrderBlock& block, const OrderCell& earlier, const OrderCell& now, PairKind kind) {
  wire::OrderPairTable& t = R().segment->order_pairs;
  uint32_t& count = t.count[(int)kind];
  if (count == (uint32_t)wire::kPairLocations) return;
  OrderPair& pair = t.pairs[(int)kind][count];
  pair.first = access_of(block, earlier);
  pair.second = access_of(block, now);
  pair.kind = kind;
  for (uint32_t i = 0; i < count; ++i)
    if (same_place(t.pairs[(int)kind][i], pair)) return;
  __atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);  // another process reads it
  t.settled = is_settled(t);
}

void meet(const OrderBlock& block, const OrderCell& earlier, const OrderCell& now) {
  if (!(earlier.bytes & now.bytes) || earlier.thread == now.thread) return;
  if (earlier.op == AtomicOp::Load && now.op == AtomicOp::Load) return;
  if (self().clock.at[earlier.thread] >= earlier.clock) return;
  PairKind kind;
  if (kind_of_pair(earlier, now, kind)) note(block, earlier, now, kind);
}

bool replaces(const OrderCell& now, const OrderCell& earlier) {
  return earlier.thread == now.thread && earlier.op == now.op && earlier.order == now.order && earlier.bytes == now.bytes;
}

void add(OrderBlock& block, const OrderCell& now) {
  OrderWatch& w = watch();
  OrderCell* mine = nullptr;
  for (uint32_t c = block.cells; c; c = w.cells[c - 1].next) {
    meet(block, w.cells[c - 1], now);
    if (replaces(now, w.cells[c - 1])) mine = &w.cells[c - 1];
  }
  if (mine) {
    mine->clock = now.clock;
    mine->pc = now.pc;
    return;
  }
  if (w.cell_count == kMaxOrderCells) fatal("too many threads access too many atomic variables in one run");
  w.cells[w.cell_count] = now;
  w.cells[w.cell_count].next = block.cells;
  block.cells = ++w.cell_count;
}

}  // namespace

void orders_begin_run() {
  watch().cell_count = watch().block_count = 0;
}

void watch_order(Object& o, uint64_t address, uint32_t size, AtomicOp op, int order, uint64_t pc) {
  if (R().segment->order_pairs.settled) return;
  if (!o.order_block) o.order_block = new_block(address & ~15ULL);
  const Thread& t = self();
  const uint32_t within = (uint32_t)(address & 15), here = size < 16 - within ? size : 16 - within;  // of a larger one its first bytes stand for all
  const auto bytes = (uint16_t)(((1u << here) - 1) << within);
  add(watch().blocks[o.order_block - 1], {pc, 0, t.clock.at[t.slot], bytes, t.slot, op, (uint8_t)(order & 7), {}});
}

}  // namespace heddle::rt
