#include "machine/access.h"

#include <array>

namespace heddle::machine {
namespace {

using wire::PatchKind;
using wire::PatchMask;
using wire::PatchString;

Access note(std::string reason) {
  Access a;
  a.site.kind = PatchKind::Note;
  a.reason = std::move(reason);
  return a;
}

std::optional<int> number_of(ZydisRegister reg) {
  if (reg == ZYDIS_REGISTER_NONE) return std::nullopt;
  return ZydisRegisterGetId(reg);
}

bool is_stack_operand(const ZydisDecodedOperand& o) {
  return o.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && (o.mem.base == ZYDIS_REGISTER_RSP || o.mem.base == ZYDIS_REGISTER_ESP);
}

bool accesses(const ZydisDecodedOperand& o) {
  const bool memory = o.type == ZYDIS_OPERAND_TYPE_MEMORY && (o.mem.type == ZYDIS_MEMOP_TYPE_MEM || o.mem.type == ZYDIS_MEMOP_TYPE_VSIB);
  return memory && !is_stack_operand(o);
}

const ZydisDecodedOperand* memory_operand(const Decoded& d) {
  for (int i = 0; i < d.instruction.operand_count; ++i)
    if (accesses(d.operands[i])) return &d.operands[i];
  return nullptr;
}

std::uint8_t flags_of(const ZydisDecodedOperand& o) {
  const bool reads = (o.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0, writes = (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  return static_cast<std::uint8_t>((reads ? wire::kPatchRead : 0) | (writes ? wire::kPatchWrite : 0));
}

std::optional<PatchString> string_of(ZydisMnemonic m) {
  switch (m) {
    case ZYDIS_MNEMONIC_MOVSB: case ZYDIS_MNEMONIC_MOVSW: case ZYDIS_MNEMONIC_MOVSD: case ZYDIS_MNEMONIC_MOVSQ: return PatchString::Movs;
    case ZYDIS_MNEMONIC_STOSB: case ZYDIS_MNEMONIC_STOSW: case ZYDIS_MNEMONIC_STOSD: case ZYDIS_MNEMONIC_STOSQ: return PatchString::Stos;
    case ZYDIS_MNEMONIC_LODSB: case ZYDIS_MNEMONIC_LODSW: case ZYDIS_MNEMONIC_LODSD: case ZYDIS_MNEMONIC_LODSQ: return PatchString::Lods;
    case ZYDIS_MNEMONIC_CMPSB: case ZYDIS_MNEMONIC_CMPSW: case ZYDIS_MNEMONIC_CMPSD: case ZYDIS_MNEMONIC_CMPSQ: return PatchString::Cmps;
    case ZYDIS_MNEMONIC_SCASB: case ZYDIS_MNEMONIC_SCASW: case ZYDIS_MNEMONIC_SCASD: case ZYDIS_MNEMONIC_SCASQ: return PatchString::Scas;
    default: return std::nullopt;
  }
}

bool is_bit_test(ZydisMnemonic m) {
  return m == ZYDIS_MNEMONIC_BT || m == ZYDIS_MNEMONIC_BTS || m == ZYDIS_MNEMONIC_BTR || m == ZYDIS_MNEMONIC_BTC;
}

bool is_compare_exchange(ZydisMnemonic m) {
  return m == ZYDIS_MNEMONIC_CMPXCHG || m == ZYDIS_MNEMONIC_CMPXCHG8B || m == ZYDIS_MNEMONIC_CMPXCHG16B;
}

// Where it begins to count: rsp has changed by then.
std::int64_t popped_before_address(const Decoded& d, const ZydisDecodedOperand& o) {
  const bool pops = d.instruction.mnemonic == ZYDIS_MNEMONIC_POP && o.mem.base == ZYDIS_REGISTER_RSP;
  return pops ? o.size / 8 : 0;
}

EffectiveAddress address_of(const Decoded& d, const ZydisDecodedOperand& o, std::uint64_t at) {
  EffectiveAddress a;
  a.displacement = o.mem.disp.has_displacement ? o.mem.disp.value : 0;
  a.displacement += popped_before_address(d, o);
  a.thread_local_base = o.mem.segment == ZYDIS_REGISTER_FS;
  if (o.mem.base == ZYDIS_REGISTER_RIP) {
    a.displacement += static_cast<std::int64_t>(at) + d.instruction.length;
    return a;
  }
  a.base = number_of(o.mem.base);
  if (o.mem.type != ZYDIS_MEMOP_TYPE_VSIB) a.index = number_of(o.mem.index);
  if (a.index) a.scale = o.mem.scale;
  return a;
}

// Elements that are accessed where a mask says so.
Access masked(Access a, ZydisRegister mask, unsigned element_bits, unsigned elements) {
  if (element_bits == 0 || elements == 0 || elements > 64) return note("a masked access of unknown shape");
  a.site.kind = PatchKind::Masked;
  a.site.size = element_bits / 8;
  a.site.elements = static_cast<std::uint8_t>(elements);
  const bool opmask = mask >= ZYDIS_REGISTER_K0 && mask <= ZYDIS_REGISTER_K7;
  a.site.mask_kind = opmask ? PatchMask::Opmask : PatchMask::SignOfVector;
  a.site.mask = static_cast<std::uint8_t>(ZydisRegisterGetId(mask));
  return a;
}

bool packs_elements(ZydisMnemonic m) {
  switch (m) {
    case ZYDIS_MNEMONIC_VPCOMPRESSB: case ZYDIS_MNEMONIC_VPCOMPRESSW: case ZYDIS_MNEMONIC_VPCOMPRESSD: case ZYDIS_MNEMONIC_VPCOMPRESSQ:
    case ZYDIS_MNEMONIC_VCOMPRESSPS: case ZYDIS_MNEMONIC_VCOMPRESSPD: case ZYDIS_MNEMONIC_VPEXPANDB: case ZYDIS_MNEMONIC_VPEXPANDW:
    case ZYDIS_MNEMONIC_VPEXPANDD: case ZYDIS_MNEMONIC_VPEXPANDQ: case ZYDIS_MNEMONIC_VEXPANDPS: case ZYDIS_MNEMONIC_VEXPANDPD:
      return true;
    default: return false;
  }
}

ZydisRegister vector_mask_register(const Decoded& d) {
  switch (d.instruction.mnemonic) {
    case ZYDIS_MNEMONIC_VMASKMOVPS: case ZYDIS_MNEMONIC_VMASKMOVPD: case ZYDIS_MNEMONIC_VPMASKMOVD: case ZYDIS_MNEMONIC_VPMASKMOVQ: break;
    default: return ZYDIS_REGISTER_NONE;
  }
  return d.operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER ? d.operands[1].reg.value : ZYDIS_REGISTER_NONE;
}

Access gather(Access a, const Decoded& d, const ZydisDecodedOperand& o) {
  // The mask: an opmask register, or the operand of the kind of the destination.
  const bool opmask = d.instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
  const ZydisRegister mask = opmask ? d.instruction.avx.mask.reg : d.operands[2].reg.value;
  const ZydisDecodedOperand& data = o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE ? d.operands[d.instruction.operand_count_visible - 1] : d.operands[0];
  if (data.type != ZYDIS_OPERAND_TYPE_REGISTER || data.element_size == 0) return note("a gather of unknown shape");
  int index_bytes = 0;
  switch (d.instruction.mnemonic) {
    case ZYDIS_MNEMONIC_VPGATHERDD: case ZYDIS_MNEMONIC_VPGATHERDQ: case ZYDIS_MNEMONIC_VGATHERDPS: case ZYDIS_MNEMONIC_VGATHERDPD:
    case ZYDIS_MNEMONIC_VPSCATTERDD: case ZYDIS_MNEMONIC_VPSCATTERDQ: case ZYDIS_MNEMONIC_VSCATTERDPS: case ZYDIS_MNEMONIC_VSCATTERDPD: index_bytes = 4; break;
    case ZYDIS_MNEMONIC_VPGATHERQD: case ZYDIS_MNEMONIC_VPGATHERQQ: case ZYDIS_MNEMONIC_VGATHERQPS: case ZYDIS_MNEMONIC_VGATHERQPD:
    case ZYDIS_MNEMONIC_VPSCATTERQD: case ZYDIS_MNEMONIC_VPSCATTERQQ: case ZYDIS_MNEMONIC_VSCATTERQPS: case ZYDIS_MNEMONIC_VSCATTERQPD: index_bytes = 8; break;
    default: return note("a gather or scatter that is not known");
  }
  const unsigned index_bits = ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, o.mem.index);
  const unsigned data_bits = ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, data.reg.value);
  const unsigned by_index = index_bits / (8u * static_cast<unsigned>(index_bytes)), by_data = data_bits / data.element_size;
  a.site.kind = PatchKind::Gather;
  a.site.size = data.element_size / 8u;
  a.site.elements = static_cast<std::uint8_t>(by_index < by_data ? by_index : by_data);
  a.site.mask_kind = opmask ? PatchMask::Opmask : PatchMask::SignOfVector;
  a.site.mask = static_cast<std::uint8_t>(ZydisRegisterGetId(mask));
  a.site.index = static_cast<std::uint8_t>(ZydisRegisterGetId(o.mem.index));
  a.site.index_size = static_cast<std::uint8_t>(index_bytes);
  a.site.scale = o.mem.scale;
  return a;
}

Access string_access(const Decoded& d, PatchString string) {
  Access a;
  a.site.kind = PatchKind::String;
  a.site.string = string;
  const ZydisInstructionAttributes at = d.instruction.attributes;
  for (int i = 0; i < d.instruction.operand_count; ++i) {
    const ZydisDecodedOperand& o = d.operands[i];
    if (o.type != ZYDIS_OPERAND_TYPE_MEMORY) continue;
    if (o.mem.segment == ZYDIS_REGISTER_FS || o.mem.segment == ZYDIS_REGISTER_GS) return note("a string instruction with a segment");
    a.site.size = o.size / 8u;
  }
  if (at & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)) a.site.flags |= wire::kPatchRepeat;
  if (at & ZYDIS_ATTRIB_HAS_REPE) a.site.flags |= wire::kPatchWhileEqual;
  if (at & ZYDIS_ATTRIB_HAS_REPNE) a.site.flags |= wire::kPatchUntilEqual;
  return a;
}

}  // namespace

std::optional<Decoded> decode(const std::uint8_t* code, std::size_t available) {
  static const ZydisDecoder decoder = [] {
    ZydisDecoder d;
    ZydisDecoderInit(&d, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return d;
  }();
  Decoded d;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, available, &d.instruction, d.operands))) return std::nullopt;
  return d;
}

Access access_of(const Decoded& d, std::uint64_t at) {
  if (d.instruction.address_width != 64) return note("an address of 32 bits");
  const bool is_string = d.instruction.meta.category == ZYDIS_CATEGORY_STRINGOP;
  if (is_string) {
    const std::optional<PatchString> string = string_of(d.instruction.mnemonic);
    return string ? string_access(d, *string) : note("an instruction for input or output");
  }
  const ZydisDecodedOperand* o = memory_operand(d);
  if (o == nullptr) return note("an instruction whose access is not known");
  if (o->mem.segment == ZYDIS_REGISTER_GS) return note("an address in the segment gs");
  if (d.instruction.mnemonic == ZYDIS_MNEMONIC_XLAT) return note("a table lookup (xlat)");
  Access a;
  a.address = address_of(d, *o, at);
  a.site.flags = flags_of(*o);
  if (o->mem.type == ZYDIS_MEMOP_TYPE_VSIB) return gather(a, d, *o);
  if (is_bit_test(d.instruction.mnemonic) && d.operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER) return note("a bit whose number is in a register");
  if (d.instruction.mnemonic == ZYDIS_MNEMONIC_MASKMOVDQU || d.instruction.mnemonic == ZYDIS_MNEMONIC_VMASKMOVDQU)
    return masked(a, d.operands[1].reg.value, 8, 16);
  if (const ZydisRegister mask = vector_mask_register(d); mask != ZYDIS_REGISTER_NONE) {
    const bool quad = d.instruction.mnemonic == ZYDIS_MNEMONIC_VMASKMOVPD || d.instruction.mnemonic == ZYDIS_MNEMONIC_VPMASKMOVQ;
    const unsigned element = quad ? 64 : 32;
    return masked(a, mask, element, ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, mask) / element);
  }
  const bool has_mask = d.instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX && d.instruction.avx.mask.mode != ZYDIS_MASK_MODE_INVALID &&
                        d.instruction.avx.mask.mode != ZYDIS_MASK_MODE_DISABLED && d.instruction.avx.mask.reg != ZYDIS_REGISTER_K0;
  if (o->size == 0 || o->size % 8 != 0) return note("an access of unknown size");
  a.site.size = o->size / 8u;
  // A broadcast reads one element whatever the mask says, and instructions that compare into a mask read all of it where a bit is set.
  if (has_mask && d.instruction.avx.broadcast.mode == ZYDIS_BROADCAST_MODE_INVALID) {
    if (packs_elements(d.instruction.mnemonic)) return note("elements that are packed by a mask");
    const unsigned element = o->element_size;
    return masked(a, d.instruction.avx.mask.reg, element, element == 0 ? 0 : o->size / element);
  }
  const bool locked = (d.instruction.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0 || d.instruction.mnemonic == ZYDIS_MNEMONIC_XCHG;
  if (locked) {
    if (a.site.size > 16) return note("a locked access of unknown size");
    a.site.kind = is_compare_exchange(d.instruction.mnemonic) ? PatchKind::Cas : PatchKind::Rmw;
    a.needs_after = true;
    // The expected value is in two registers.
    const bool wide = d.instruction.mnemonic == ZYDIS_MNEMONIC_CMPXCHG8B || d.instruction.mnemonic == ZYDIS_MNEMONIC_CMPXCHG16B;
    a.site.elements = wide ? 2 : 1;
    return a;
  }
  if (d.instruction.meta.category == ZYDIS_CATEGORY_XSAVE || d.instruction.meta.category == ZYDIS_CATEGORY_XSAVEOPT)
    return note("the processor's state as a whole (xsave)");
  a.site.kind = PatchKind::Plain;
  return a;
}

}  // namespace heddle::machine
