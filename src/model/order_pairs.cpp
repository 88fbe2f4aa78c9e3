#include "model/order_pairs.h"

#include <algorithm>
#include <tuple>

namespace heddle {
namespace {

auto key_of(const AtomicAccess& a) { return std::tuple(a.pc, a.location, a.size, a.op, a.order); }

auto key_of(const OrderPair& p) {
  const auto [low, high] = std::minmax({key_of(p.first), key_of(p.second)});
  return std::tuple(p.kind, low, high);
}

bool has(std::span<const OrderPair> pairs, PairKind kind) {
  return std::any_of(pairs.begin(), pairs.end(), [&](const OrderPair& p) { return p.kind == kind; });
}

bool is_at(const AtomicAccess& a, const AtomicAccess& b) { return a.location == b.location && a.size == b.size; }

bool lie_at_one_location(std::span<const OrderPair> pairs) {
  const AtomicAccess& at = pairs.front().first;
  return std::all_of(pairs.begin(), pairs.end(), [&](const OrderPair& p) { return is_at(p.first, at) && is_at(p.second, at); });
}

}  // namespace

bool relies_on_orders(std::span<const OrderPair> pairs) {
  const bool may = has(pairs, PairKind::Other) || (has(pairs, PairKind::SeqCst) && has(pairs, PairKind::Modifies));
  return may && !lie_at_one_location(pairs);
}

void sort_by_weight(std::vector<OrderPair>& pairs) {
  auto rank = [](const OrderPair& p) { return std::tuple(p.kind != PairKind::Other, p.kind != PairKind::Modifies, key_of(p)); };
  std::sort(pairs.begin(), pairs.end(), [&](const OrderPair& a, const OrderPair& b) { return rank(a) < rank(b); });
}

void add_pairs(std::vector<OrderPair>& all, std::span<const OrderPair> more) {
  for (const OrderPair& pair : more)
    if (std::none_of(all.begin(), all.end(), [&](const OrderPair& p) { return key_of(p) == key_of(pair); })) all.push_back(pair);
}

const char* order_name(std::uint8_t order) {
  constexpr const char* kNames[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
  return order < std::size(kNames) ? kNames[order] : "?";
}

const char* atomic_op_name(AtomicOp op) {
  switch (op) {
    case AtomicOp::Load: return "load";
    case AtomicOp::Store: return "store";
    case AtomicOp::Modify:
    case AtomicOp::kCount: break;
  }
  return "read-modify-write";
}

}  // namespace heddle
