// Names for what registers and stack slots hold, within one function. Two places with the same
// value hold the same 64-bit number; nothing is said of places with different ones.
//
// A value is a node plus a constant. Sums of nodes are kept sorted, so that an address that is
// computed again gets the same value in whatever way that is done.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle::machine {

using NodeId = std::uint32_t;

struct Value {
  NodeId node = 0;
  std::int64_t offset = 0;
  friend bool operator==(const Value&, const Value&) = default;
};

// Fixed nodes. Values at kZero are plain numbers.
inline constexpr NodeId kZero = 0;
inline constexpr NodeId kImage = 1;   // where the file is loaded, minus where it is linked
inline constexpr NodeId kStack = 2;   // the stack pointer at entry: there lies the return address
inline constexpr NodeId kThread = 3;  // the base of segment fs
inline constexpr NodeId kEntry = 4;   // + register: what it held at entry

enum class NodeKind : std::uint8_t { Fixed, Sum, Operation, Defined, Joined };

// Which addresses of the own stack a value may be made of: a bit each, see Frame. What the caller
// passed in argument registers has a bit each, too.
using Taint = std::uint64_t;

struct Node {
  NodeKind kind = NodeKind::Fixed;
  bool stack = false;   // an address in the own stack, at an unknown place
  bool vtable = false;  // points into a table that nobody writes
  bool mixed = false;  // Joined: may be something else than a pointer into objects of the own stack
  std::uint16_t operation = 0;
  Taint taint = 0;
  std::array<Value, 3> operands;            // of an Operation
  std::uint32_t terms = 0, term_count = 0;  // of a Sum: in Values::terms_
};

struct Term {
  NodeId node = 0;
  std::int64_t factor = 0;
  friend bool operator==(const Term&, const Term&) = default;
};

class Values {
 public:
  Values();
  void clear();

  static Value number(std::int64_t n) { return {kZero, n}; }
  static Value entry(int reg) { return {kEntry + static_cast<NodeId>(reg), 0}; }

  Value add(Value a, Value b) { return combine(a, 1, b, 1); }
  Value subtract(Value a, Value b) { return combine(a, 1, b, -1); }
  Value multiply(Value a, std::int64_t factor) { return combine(a, factor, {}, 0); }
  // The same operation on the same operands gives the same value.
  Value operation(std::uint16_t code, Value a, Value b = {}, Value c = {});
  // What the instruction at `address` leaves in its `index`-th result.
  Value defined(std::uint64_t address, unsigned index);
  // What `place` holds where paths meet at `block`, if they do not agree.
  Value joined(std::uint64_t block, std::uint64_t place);

  const Node& node(NodeId id) const { return nodes_[id]; }
  Node& node(NodeId id) { return nodes_[id]; }
  std::span<const Term> terms(const Node& sum) const {
    return {terms_.data() + sum.terms, sum.term_count};
  }

 private:
  struct Key {
    std::array<std::uint64_t, 6> words;
    friend bool operator==(const Key&, const Key&) = default;
  };
  static std::size_t hash_of(const Key& key);
  void grow_table();

  Value combine(Value a, std::int64_t fa, Value b, std::int64_t fb);
  void add_terms(NodeId id, std::int64_t factor);
  Value sum_of(std::int64_t offset);
  std::pair<NodeId, bool> intern(const Key& key);

  std::vector<Node> nodes_;
  std::vector<Term> terms_, scratch_;
  std::vector<Key> keys_;      // of nodes_; unused for sums and fixed ones
  std::vector<NodeId> table_;  // open addressing; kZero: free
  std::size_t used_ = 0;       // places of table_
  std::unordered_multimap<std::uint64_t, NodeId> sums_;
};

}  // namespace heddle::machine
