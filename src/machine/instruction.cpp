#include "machine/instruction.h"

#include <Zydis/Zydis.h>

namespace heddle::machine {
namespace {

const ZydisDecoder& decoder() {
  static const ZydisDecoder the_decoder = [] {
    ZydisDecoder made;
    ZydisDecoderInit(&made, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return made;
  }();
  return the_decoder;
}

Flow flow_of(const ZydisDecodedInstruction& i) {
  const bool direct = i.raw.imm[0].is_relative;
  switch (i.meta.category) {
    case ZYDIS_CATEGORY_CALL:
      return direct ? Flow::Call : Flow::CallIndirect;
    case ZYDIS_CATEGORY_RET:
      return Flow::Return;
    case ZYDIS_CATEGORY_COND_BR:
      return Flow::Branch;
    case ZYDIS_CATEGORY_UNCOND_BR:
      return direct ? Flow::Jump : Flow::JumpIndirect;
    default:
      break;
  }
  switch (i.mnemonic) {
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_HLT:
      return Flow::End;
    default:
      return Flow::Next;
  }
}

bool repeats(const ZydisDecodedInstruction& i) {
  return (i.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)) !=
         0;
}

Action action_of(const ZydisDecodedInstruction& i) {
  switch (i.mnemonic) {
    case ZYDIS_MNEMONIC_NOP:
    case ZYDIS_MNEMONIC_ENDBR64:
    case ZYDIS_MNEMONIC_PREFETCH:
    case ZYDIS_MNEMONIC_PREFETCHNTA:
    case ZYDIS_MNEMONIC_PREFETCHT0:
    case ZYDIS_MNEMONIC_PREFETCHT1:
    case ZYDIS_MNEMONIC_PREFETCHT2:
    case ZYDIS_MNEMONIC_PREFETCHW:
      return Action::Nothing;
    case ZYDIS_MNEMONIC_MOV:
      return Action::Move;
    case ZYDIS_MNEMONIC_MOVZX:
      return Action::MoveZero;
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD:
    case ZYDIS_MNEMONIC_CBW:
    case ZYDIS_MNEMONIC_CWDE:
    case ZYDIS_MNEMONIC_CDQE:
      return Action::MoveSign;
    case ZYDIS_MNEMONIC_LEA:
      return Action::Address;
    case ZYDIS_MNEMONIC_ADD:
      return Action::Add;
    case ZYDIS_MNEMONIC_SUB:
      return Action::Subtract;
    case ZYDIS_MNEMONIC_INC:
      return Action::Increment;
    case ZYDIS_MNEMONIC_DEC:
      return Action::Decrement;
    case ZYDIS_MNEMONIC_SHL:
      return Action::ShiftLeft;
    case ZYDIS_MNEMONIC_IMUL:
      return Action::Multiply;
    case ZYDIS_MNEMONIC_AND:
      return Action::And;
    case ZYDIS_MNEMONIC_XOR:
      return Action::Xor;
    case ZYDIS_MNEMONIC_CMP:
    case ZYDIS_MNEMONIC_TEST:
      return Action::Compare;
    case ZYDIS_MNEMONIC_PUSH:
      return Action::Push;
    case ZYDIS_MNEMONIC_POP:
      return Action::Pop;
    case ZYDIS_MNEMONIC_LEAVE:
      return Action::Leave;
    case ZYDIS_MNEMONIC_XCHG:
      return Action::Exchange;
    case ZYDIS_MNEMONIC_SYSCALL:
    case ZYDIS_MNEMONIC_SYSENTER:
    case ZYDIS_MNEMONIC_INT:
      return Action::System;
    default:
      break;
  }
  if (i.meta.category == ZYDIS_CATEGORY_CALL) return Action::Calls;
  if (i.meta.category == ZYDIS_CATEGORY_STRINGOP && repeats(i)) return Action::Repeated;
  return Action::Other;
}

bool is_copy_or_fill(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_MOVSB:
    case ZYDIS_MNEMONIC_MOVSW:
    case ZYDIS_MNEMONIC_MOVSD:  // of vectors, too: that one does not repeat
    case ZYDIS_MNEMONIC_MOVSQ:
    case ZYDIS_MNEMONIC_STOSB:
    case ZYDIS_MNEMONIC_STOSW:
    case ZYDIS_MNEMONIC_STOSD:
    case ZYDIS_MNEMONIC_STOSQ:
      return true;
    default:
      return false;
  }
}

std::int8_t number_of(ZydisRegister reg) {
  if (reg == ZYDIS_REGISTER_NONE) return kNone;
  if (reg == ZYDIS_REGISTER_RIP) return kRip;
  const ZydisRegister wide = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
  if (wide < ZYDIS_REGISTER_RAX || wide > ZYDIS_REGISTER_R15) return kNone;
  return ZydisRegisterGetId(wide);
}

bool is_high_byte(ZydisRegister reg) {
  return reg == ZYDIS_REGISTER_AH || reg == ZYDIS_REGISTER_BH || reg == ZYDIS_REGISTER_CH ||
         reg == ZYDIS_REGISTER_DH;
}

Memory memory_of(const ZydisDecodedOperand& from, std::uint64_t next, bool narrow) {
  Memory memory;
  memory.base = number_of(from.mem.base);
  memory.index = number_of(from.mem.index);
  memory.vector_index = narrow || (from.mem.index != ZYDIS_REGISTER_NONE && memory.index == kNone);
  memory.scale = from.mem.scale;
  memory.displacement = from.mem.disp.has_displacement ? from.mem.disp.value : 0;
  if (memory.base == kRip) memory.displacement += static_cast<std::int64_t>(next);
  if (from.mem.segment == ZYDIS_REGISTER_FS) memory.segment = 1;
  if (from.mem.segment == ZYDIS_REGISTER_GS) memory.segment = 2;
  return memory;
}

// True where the operand matters: not the flags, not the instruction pointer.
bool take_operand(const ZydisDecodedOperand& from, std::uint64_t next, bool narrow, Operand& to) {
  to.reads = (from.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
  to.writes = (from.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  to.conditional =
      (from.actions & (ZYDIS_OPERAND_ACTION_CONDREAD | ZYDIS_OPERAND_ACTION_CONDWRITE)) != 0;
  to.hidden = from.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
  to.bits = from.size;
  switch (from.type) {
    case ZYDIS_OPERAND_TYPE_REGISTER:
      to.reg = number_of(from.reg.value);
      if (to.reg == kRip) return false;
      if (from.reg.value >= ZYDIS_REGISTER_FLAGS && from.reg.value <= ZYDIS_REGISTER_RFLAGS)
        return false;
      to.kind = to.reg == kNone ? Operand::Kind::Other : Operand::Kind::Register;
      to.high_byte = is_high_byte(from.reg.value);
      return true;
    case ZYDIS_OPERAND_TYPE_MEMORY:
      to.kind = Operand::Kind::Memory;
      to.memory = memory_of(from, next, narrow);
      return true;
    case ZYDIS_OPERAND_TYPE_IMMEDIATE:
      to.kind = Operand::Kind::Immediate;
      to.immediate =
          from.imm.is_signed ? from.imm.value.s : static_cast<std::int64_t>(from.imm.value.u);
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<Instruction> decode(std::span<const std::uint8_t> bytes, std::uint64_t address) {
  ZydisDecodedInstruction from;
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
  if (!ZYAN_SUCCESS(
          ZydisDecoderDecodeFull(&decoder(), bytes.data(), bytes.size(), &from, operands.data())))
    return std::nullopt;
  Instruction to;
  to.address = address;
  to.length = from.length;
  to.mnemonic = static_cast<std::uint16_t>(from.mnemonic);
  to.flow = flow_of(from);
  to.action = action_of(from);
  to.repeats = repeats(from) && from.meta.category == ZYDIS_CATEGORY_STRINGOP;
  to.moves_forward = to.repeats && is_copy_or_fill(from.mnemonic);
  to.reads_flags = from.cpu_flags != nullptr && from.cpu_flags->tested != 0;
  if (to.flow == Flow::Call || to.flow == Flow::Jump || to.flow == Flow::Branch)
    to.target = to.next() + static_cast<std::uint64_t>(from.raw.imm[0].value.s);
  for (int i = 0; i < from.operand_count && to.count < to.operands.size(); ++i)
    if (take_operand(operands[i], to.next(), from.address_width == 32, to.operands[to.count]))
      ++to.count;
    else
      to.operands[to.count] = Operand{};
  return to;
}

std::optional<Step> decode_step(std::span<const std::uint8_t> bytes, std::uint64_t address) {
  ZydisDecodedInstruction from;
  if (!ZYAN_SUCCESS(
          ZydisDecoderDecodeInstruction(&decoder(), nullptr, bytes.data(), bytes.size(), &from)))
    return std::nullopt;
  Step to;
  to.length = from.length;
  to.flow = flow_of(from);
  to.padding = from.mnemonic == ZYDIS_MNEMONIC_NOP || from.mnemonic == ZYDIS_MNEMONIC_INT3;
  if (to.flow == Flow::Call || to.flow == Flow::Jump || to.flow == Flow::Branch)
    to.target = address + from.length + static_cast<std::uint64_t>(from.raw.imm[0].value.s);
  return to;
}

}  // namespace heddle::machine
