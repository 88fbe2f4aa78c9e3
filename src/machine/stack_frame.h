// What of a function's own stack frame others may reach: an object whose address was stored, passed
// on or returned. How large it is the debug information says; without it, it may reach up to the
// next saved register.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "machine/hooks.h"
#include "machine/image.h"
#include "machine/values.h"

namespace heddle::machine {

// Extents relative to the stack pointer at entry.
struct Extent {
  std::int64_t begin = 0, end = 0;
  bool overlaps(std::int64_t b, std::int64_t e) const { return b < end && begin < e; }
  friend bool operator==(const Extent&, const Extent&) = default;
};

class StackFrame {
 public:
  StackFrame(Values& values, std::vector<Extent> variables);

  // What `value` may be made of, as bits; and back.
  Taint taint(Value value);
  // Addresses that `value` may be made of can be reached by others from now on.
  void escape(Value value);
  void escape(Taint taint);

  // May others reach these bytes of the stack at `base`?
  bool is_private(NodeId base, std::int64_t offset, std::int64_t size) const;
  // The same where an unknown index was added to `offset`.
  bool is_private_object(NodeId base, std::int64_t offset) const;
  // The object at a place of the frame, as far as it may reach.
  Extent object(NodeId base, std::int64_t offset) const;
  // Where a pointer to that place may lead.
  Extent reach(NodeId base, std::int64_t offset) const;
  // Is it a variable of the debug information?
  bool knows(NodeId base, std::int64_t offset) const;
  // The objects behind a taint.
  struct Root {
    NodeId base;
    std::int64_t offset;
  };
  std::vector<Root> roots(Taint taint) const;

  // A register of the caller lies there: no object reaches across.
  void saves_register(NodeId base, std::int64_t offset);
  // `base` was made when the stack pointer was there.
  void moves_away(std::int64_t offset) { dynamic_top_ = std::max(dynamic_top_, offset); }
  void moves_anywhere() { dynamic_top_ = INT64_MAX; }

  Arguments escaped_arguments() const { return escaped_arguments_; }
  // Has anything escaped since the last question?
  bool grew() { return std::exchange(grew_, false); }

  // Argument registers by position, -1 for the others.
  static int argument_of(int reg);

 private:
  Taint root_bit(NodeId base, std::int64_t offset);
  void escape_at(NodeId base, std::int64_t offset);

  Values& values_;
  std::vector<Extent> variables_;  // by begin
  std::vector<Root> roots_;
  std::vector<Root> saved_;
  std::vector<Extent> escaped_;
  std::vector<Root> escaped_roots_;
  std::vector<Root> escaped_elsewhere_;  // at other bases than kStack
  std::int64_t dynamic_top_ = INT64_MIN;
  Arguments escaped_arguments_ = 0;
  bool grew_ = false;
};

}  // namespace heddle::machine
