// A function's own stack frame: the objects in it whose addresses are handed around. How large they
// are the debug information says; without it, an object may reach up to the next one that is known
// or to the next saved register.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "machine/hooks.h"
#include "machine/values.h"

namespace heddle::machine {

// Relative to the stack pointer at entry.
struct Extent {
  std::int64_t begin = 0, end = 0;
  bool overlaps(std::int64_t b, std::int64_t e) const { return b < end && begin < e; }
  friend bool operator==(const Extent&, const Extent&) = default;
};

class StackFrame {
 public:
  // A place whose address was computed.
  struct Root {
    NodeId base;
    std::int64_t offset;
  };
  using RootId = std::uint32_t;
  using Roots = std::vector<RootId>;  // in order

  StackFrame(Values& values, std::vector<Extent> variables);

  // What `value` may be made of: a bit for each argument register and for each root.
  Taint taint(Value value);
  Roots roots(Taint taint) const;
  const Root& root(RootId id) const { return roots_[id]; }

  // May others reach these bytes of the stack, if they know the addresses of `escaped`?
  bool is_private(const Roots& escaped, NodeId base, std::int64_t offset, std::int64_t size) const;
  // The same where an unknown index was added to `offset`.
  bool is_private_object(const Roots& escaped, NodeId base, std::int64_t offset) const;
  // The object at a place of the frame, as far as it may reach upwards. Of an object without a name
  // the address that is handed out is taken for its beginning.
  Extent object(NodeId base, std::int64_t offset) const;
  // Is it a variable of the debug information?
  bool knows(NodeId base, std::int64_t offset) const;

  // A register of the caller lies there: no object reaches across.
  void saves_register(NodeId base, std::int64_t offset);
  // A base was made when the stack pointer was there, or who knows where.
  void moves_away(std::int64_t offset);
  void moves_anywhere() { moves_away(INT64_MAX); }

  // Has anything been learnt since the last question that makes other answers?
  bool changed() { return std::exchange(changed_, false); }

  // Argument registers by position, -1 for the others.
  static int argument_of(int reg);

 private:
  RootId root_at(NodeId base, std::int64_t offset);

  Values& values_;
  std::vector<Extent> variables_;  // by begin
  std::vector<Root> roots_;
  std::vector<Extent> extents_;  // of the objects of roots_
  std::vector<Root> saved_;
  std::int64_t dynamic_top_ = INT64_MIN;  // all other bases than kStack lie below
  bool changed_ = false;
};

}  // namespace heddle::machine
