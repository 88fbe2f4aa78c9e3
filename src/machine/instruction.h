// An x86-64 instruction as the audit needs it, decoded by Zydis.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace heddle::machine {

// General registers by their number in the encoding.
enum Register : std::int8_t {
  kNone = -1,
  kRax,
  kRcx,
  kRdx,
  kRbx,
  kRsp,
  kRbp,
  kRsi,
  kRdi,
  kR8,
  kR9,
  kR10,
  kR11,
  kR12,
  kR13,
  kR14,
  kR15,
  kRip,
};
inline constexpr int kRegisters = 16;

enum class Flow : std::uint8_t {
  Next,
  Call,
  CallIndirect,
  Jump,
  Branch,
  JumpIndirect,
  Return,
  End
};

// What the data flow knows to compute. Other: anything else.
enum class Action : std::uint8_t {
  Other,
  Nothing,
  Move,
  MoveZero,
  MoveSign,
  Address,
  Add,
  Subtract,
  Increment,
  Decrement,
  ShiftLeft,
  Multiply,
  And,
  Xor,
  Compare,
  Push,
  Pop,
  Leave,
  Exchange,
  Calls,
  Repeated,
  System,
};

struct Memory {
  std::int8_t base = kNone, index = kNone;
  std::uint8_t scale = 0;
  std::uint8_t segment = 0;       // 0: none, 1: fs, 2: gs
  bool vector_index = false;      // or a 32-bit address: cannot be followed
  std::int64_t displacement = 0;  // with kRip: the address itself
};

struct Operand {
  enum class Kind : std::uint8_t { Other, Register, Memory, Immediate } kind = Kind::Other;
  bool reads = false, writes = false, conditional = false, hidden = false;
  bool high_byte = false;  // ah and its like
  std::uint16_t bits = 0;
  std::int8_t reg = kNone;
  std::int64_t immediate = 0;
  Memory memory;
};

struct Instruction {
  std::uint64_t address = 0;
  std::uint64_t target = 0;  // of Call, Jump, Branch
  std::uint16_t mnemonic = 0;
  std::uint8_t length = 0;
  Flow flow = Flow::Next;
  Action action = Action::Other;
  bool repeats = false;
  bool moves_forward = false;  // rep movs, rep stos: all of rcx elements
  bool reads_flags = false;
  std::uint8_t count = 0;
  std::array<Operand, 8> operands;

  std::uint64_t next() const { return address + length; }
  std::span<const Operand> all() const { return {operands.data(), count}; }
};

// Nothing: these bytes are no instruction.
std::optional<Instruction> decode(std::span<const std::uint8_t> bytes, std::uint64_t address);

// The little that following the code takes, several times as fast.
struct Step {
  std::uint64_t target = 0;
  std::uint8_t length = 0;
  Flow flow = Flow::Next;
  bool padding = false;  // nop, int3
};
std::optional<Step> decode_step(std::span<const std::uint8_t> bytes, std::uint64_t address);

}  // namespace heddle::machine
