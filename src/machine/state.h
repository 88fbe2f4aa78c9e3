// What is known before an instruction, on every path to it.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "machine/instruction.h"
#include "machine/values.h"

namespace heddle::machine {

// A place of the own stack that nobody else can reach.
struct Slot {
  NodeId base = 0;
  std::int64_t offset = 0;
  std::uint8_t size = 0;
  Value value;  // its lowest `size` bytes
  bool overlaps(NodeId b, std::int64_t begin, std::int64_t end) const {
    return base == b && offset < end && begin < offset + size;
  }
  friend bool operator==(const Slot&, const Slot&) = default;
  bool is_at(const Slot& other) const {
    return base == other.base && offset == other.offset && size == other.size;
  }
};

// A hook has announced an access to these bytes, and nothing has happened since but other accesses.
struct Announced {
  NodeId node = 0;
  std::int64_t begin = 0, end = 0;
  bool write = false;
  bool vptr = false;
  bool symbolic = false;  // from `begin` on, `length` bytes
  Value length;
  friend bool operator==(const Announced&, const Announced&) = default;
};

struct State {
  bool reached = false;
  std::array<Value, kRegisters> registers;
  std::vector<Slot> slots;
  std::vector<Announced> announced;
  std::vector<std::uint32_t> escaped;  // roots of the frame that others may reach, in order
  friend bool operator==(const State&, const State&) = default;
};

}  // namespace heddle::machine
