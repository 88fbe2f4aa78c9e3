// What one instruction does with memory, as the runtime is to be told.
#pragma once
#include <Zydis/Zydis.h>

#include <optional>
#include <string>

#include "machine/code_writer.h"
#include "wire/patch.h"

namespace heddle::machine {

struct Decoded {
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

// Nothing if there is no instruction.
std::optional<Decoded> decode(const std::uint8_t* code, std::size_t available);

struct Access {
  wire::PatchSite site;       // all but the place; PatchKind::Note if it cannot be told
  EffectiveAddress address;   // as it is before the instruction
  bool needs_after = false;   // atomic: the runtime looks at the memory afterwards, too
  std::string reason;         // of a Note
};

// REQUIRES that the instruction accesses memory that is not the stack's top. `at`: where it is executed.
Access access_of(const Decoded& decoded, std::uint64_t at);

}  // namespace heddle::machine
