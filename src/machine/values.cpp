#include "machine/values.h"

#include <algorithm>

namespace heddle::machine {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29);
}

std::uint64_t word(std::int64_t n) { return static_cast<std::uint64_t>(n); }

// Sums wrap around as the processor's do.
std::int64_t wrapped_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(word(a) + word(b));
}
std::int64_t wrapped_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(word(a) * word(b));
}

}  // namespace

std::size_t Values::hash_of(const Key& key) {
  std::uint64_t hash = 0;
  for (std::uint64_t each : key.words) hash = mix(hash, each);
  return hash;
}

Values::Values() { clear(); }

void Values::clear() {
  nodes_.assign(kEntry + 16, Node{});
  nodes_[kStack].stack = true;
  terms_.clear();
  keys_.clear();
  table_.assign(256, kZero);
  used_ = 0;
  sums_.clear();
}

std::pair<NodeId, bool> Values::intern(const Key& key) {
  if (2 * used_ >= table_.size()) grow_table();
  std::size_t at = hash_of(key) & (table_.size() - 1);
  for (; table_[at] != kZero; at = (at + 1) & (table_.size() - 1))
    if (keys_[table_[at]] == key) return {table_[at], false};
  const auto id = static_cast<NodeId>(nodes_.size());
  nodes_.emplace_back();
  keys_.resize(nodes_.size());
  keys_[id] = key;
  table_[at] = id;
  ++used_;
  return {id, true};
}

void Values::grow_table() {
  std::vector<NodeId> old(2 * table_.size(), kZero);
  old.swap(table_);
  for (const NodeId id : old) {
    if (id == kZero) continue;
    std::size_t at = hash_of(keys_[id]) & (table_.size() - 1);
    while (table_[at] != kZero) at = (at + 1) & (table_.size() - 1);
    table_[at] = id;
  }
}

Value Values::operation(std::uint16_t code, Value a, Value b, Value c) {
  const Key key{{code | std::uint64_t{a.node} << 32, word(a.offset),
                 b.node | std::uint64_t{c.node} << 32, word(b.offset), word(c.offset), 1}};
  const auto [id, fresh] = intern(key);
  if (fresh) {
    nodes_[id].kind = NodeKind::Operation;
    nodes_[id].operation = code;
    nodes_[id].operands = {a, b, c};
  }
  return {id, 0};
}

Value Values::defined(std::uint64_t address, unsigned index) {
  const auto [id, fresh] = intern({{address, index, 0, 0, 0, 2}});
  if (fresh) nodes_[id].kind = NodeKind::Defined;
  return {id, 0};
}

Value Values::joined(std::uint64_t block, std::uint64_t place) {
  const auto [id, fresh] = intern({{block, place, 0, 0, 0, 3}});
  if (fresh) nodes_[id].kind = NodeKind::Joined;
  return {id, 0};
}

void Values::add_terms(NodeId id, std::int64_t factor) {
  if (id == kZero || factor == 0) return;
  if (nodes_[id].kind != NodeKind::Sum) {
    scratch_.push_back({id, factor});
    return;
  }
  for (const Term& term : terms(nodes_[id]))
    scratch_.push_back({term.node, wrapped_product(term.factor, factor)});
}

Value Values::combine(Value a, std::int64_t fa, Value b, std::int64_t fb) {
  const std::int64_t offset =
      wrapped_sum(wrapped_product(a.offset, fa), wrapped_product(b.offset, fb));
  if (b.node == kZero && fa == 1) return {a.node, offset};
  if (a.node == kZero && fb == 1) return {b.node, offset};
  scratch_.clear();
  add_terms(a.node, fa);
  add_terms(b.node, fb);
  return sum_of(offset);
}

// The sum of the terms in scratch_.
Value Values::sum_of(std::int64_t offset) {
  std::sort(scratch_.begin(), scratch_.end(),
            [](const Term& x, const Term& y) { return x.node < y.node; });
  std::size_t kept = 0;
  for (const Term& term : scratch_) {
    if (kept && scratch_[kept - 1].node == term.node)
      scratch_[kept - 1].factor = wrapped_sum(scratch_[kept - 1].factor, term.factor);
    else
      scratch_[kept++] = term;
  }
  scratch_.resize(kept);
  std::erase_if(scratch_, [](const Term& term) { return term.factor == 0; });
  if (scratch_.empty()) return number(offset);
  if (scratch_.size() == 1 && scratch_[0].factor == 1) return {scratch_[0].node, offset};

  std::uint64_t hash = scratch_.size();
  for (const Term& term : scratch_) hash = mix(mix(hash, term.node), word(term.factor));
  for (auto [at, end] = sums_.equal_range(hash); at != end; ++at)
    if (std::ranges::equal(terms(nodes_[at->second]), scratch_)) return {at->second, offset};

  const auto id = static_cast<NodeId>(nodes_.size());
  Node& made = nodes_.emplace_back();
  made.kind = NodeKind::Sum;
  made.terms = static_cast<std::uint32_t>(terms_.size());
  made.term_count = static_cast<std::uint32_t>(scratch_.size());
  terms_.insert(terms_.end(), scratch_.begin(), scratch_.end());
  sums_.emplace(hash, id);
  return {id, offset};
}

}  // namespace heddle::machine
