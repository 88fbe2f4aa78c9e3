#include "machine/trampoline.h"

#include <algorithm>

#include "machine/access.h"

namespace heddle::machine {
namespace {

constexpr std::uint64_t kMostInstructions = 64;  // in one trampoline
constexpr std::uint64_t kLargestTrampoline = 16384;

bool is_branch(const Decoded& d) {
  const ZydisInstructionCategory c = d.instruction.meta.category;
  return (c == ZYDIS_CATEGORY_COND_BR || c == ZYDIS_CATEGORY_UNCOND_BR) && (d.instruction.attributes & ZYDIS_ATTRIB_IS_RELATIVE) != 0 &&
         d.operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
}

bool is_call(const Decoded& d) { return d.instruction.meta.category == ZYDIS_CATEGORY_CALL; }

// Nothing is executed behind it.
bool ends_here(const Decoded& d) {
  const ZydisInstructionCategory c = d.instruction.meta.category;
  return c == ZYDIS_CATEGORY_UNCOND_BR || c == ZYDIS_CATEGORY_RET || d.instruction.mnemonic == ZYDIS_MNEMONIC_UD2;
}

bool is_counted_branch(ZydisMnemonic m) {
  switch (m) {
    case ZYDIS_MNEMONIC_JCXZ: case ZYDIS_MNEMONIC_JECXZ: case ZYDIS_MNEMONIC_JRCXZ: case ZYDIS_MNEMONIC_LOOP: case ZYDIS_MNEMONIC_LOOPE:
    case ZYDIS_MNEMONIC_LOOPNE: return true;
    default: return false;
  }
}

}  // namespace

struct Trampolines::Displaced {
  std::uint64_t address = 0;  // as linked
  const std::uint8_t* code = nullptr;
  Decoded decoded;
  const Site* site = nullptr;
  std::uint64_t end() const { return address + decoded.instruction.length; }
};

// Could code that has no hooks use the access to order threads, as a flag or the word of a lock? Nobody does so with what is wider than a register.
bool Trampolines::may_synchronise(const Displaced& d) {
  if (d.site->instrumented) return false;
  const Access access = access_of(d.decoded, d.address);
  return access.site.kind == wire::PatchKind::Plain && access.site.size <= 8;
}

Trampolines::Trampolines(const std::vector<Site>& sites, const CodeBytes& code, std::uint64_t base, wire::PatchRoom room, std::uint64_t entry, Notes& notes)
    : sites_(sites), bytes_(code), base_(base), room_(room), notes_(notes), out_(room.begin) {
  out_.word(entry);
}

void Trampolines::build() {
  for (std::size_t i = 0; i < sites_.size();) i = build_one(i);
}

// The instructions from a site on until a jump has room, and the sites right behind, as far as nobody jumps in between.
std::vector<Trampolines::Displaced> Trampolines::displaced_from(std::size_t first) const {
  std::vector<Displaced> result;
  std::uint64_t at = sites_[first].address, free_up_to = at;
  const std::uint64_t begin = at;
  std::size_t next = first;
  while (result.size() < kMostInstructions) {
    const bool is_site = next < sites_.size() && sites_[next].address == at;
    if (at - begin >= wire::kJumpLength && !is_site) break;
    if (!result.empty() && at >= free_up_to) break;
    if (is_site) free_up_to = std::max(free_up_to, at + sites_[next].room);
    const CodeBytes::View view = bytes_.at(at);
    std::optional<Decoded> decoded = view.data ? decode(view.data, std::min<std::size_t>(view.size, 16)) : std::nullopt;
    if (!decoded) break;
    // What is displaced must be displaced as a whole, and a call's return address lies in the code behind it.
    if (!result.empty() && (at + decoded->instruction.length > free_up_to || (is_call(*decoded) && !is_site))) break;
    result.push_back({at, view.data, *decoded, is_site ? &sites_[next] : nullptr});
    at += decoded->instruction.length;
    if (is_site) ++next;
    if (next < sites_.size() && sites_[next].address < at) break;  // sites overlap: what the audit took for code is none
    if (is_call(*decoded)) break;
    if (ends_here(*decoded) && at - begin >= wire::kJumpLength) break;
  }
  return result;
}

// Returns the number of the first site that is not dealt with yet.
std::size_t Trampolines::build_one(std::size_t first) {
  std::vector<Displaced> displaced = displaced_from(first);
  if (displaced.empty()) {
    left_.push_back({sites_[first].address, "its code cannot be decoded"});
    return first + 1;
  }
  // Without room for a jump there is a trap in place of the one instruction.
  if (displaced.back().end() - displaced.front().address < wire::kJumpLength) displaced.resize(1);
  const auto count = static_cast<std::size_t>(std::count_if(displaced.begin(), displaced.end(), [](const Displaced& d) { return d.site != nullptr; }));
  write_reasons(displaced);
  out_.align(8);
  const std::uint64_t trampoline = out_.here();
  const std::size_t moved_before = moved_.size();
  bool room = trampoline + kLargestTrampoline < room_.end;
  if (room && write_trampoline(displaced) && out_.fits()) {
    moved_.push_back({out_.here(), 0, 0, 0, {}});
    overwrite(displaced, trampoline);
  } else {
    out_.truncate(trampoline);
    moved_.resize(moved_before);
    give_up(displaced, room ? "its code cannot be moved" : "there is no room near the module");
  }
  return first + std::max<std::size_t>(count, 1);
}

// Before the trampoline: the runtime reads them from there.
void Trampolines::write_reasons(const std::vector<Displaced>& displaced) {
  for (const Displaced& d : displaced) {
    if (d.site == nullptr) continue;
    const std::string reason = access_of(d.decoded, run(d.address)).reason;
    if (reason.empty() || reasons_.contains(reason)) continue;
    reasons_[reason] = out_.here();
    out_.raw(reason.c_str(), reason.size() + 1);
  }
}

void Trampolines::give_up(const std::vector<Displaced>& displaced, const std::string& reason) {
  for (const Displaced& d : displaced)
    if (d.site != nullptr) left_.push_back({d.address, reason});
}

bool Trampolines::write_trampoline(const std::vector<Displaced>& displaced) {
  for (const Displaced& d : displaced)
    if (!(d.site != nullptr ? write_site(d) : relocate(d))) return false;
  const Displaced& last = displaced.back();
  if (!ends_here(last.decoded) && !is_call(last.decoded)) out_.jump(run(last.end()));
  return true;
}

bool Trampolines::write_site(const Displaced& d) {
  Access access = access_of(d.decoded, run(d.address));
  access.site.return_pc = run(d.address) + 1;
  if (access.site.kind == wire::PatchKind::Note) {
    access.site.note = static_cast<std::uint16_t>(notes_.next());
    access.site.reason = reasons_.at(access.reason);
  }
  note_moved(d, true);
  announce(access.site, access.address);
  if (!relocate(d)) return false;
  if (!access.needs_after) return true;
  access.site.kind = wire::PatchKind::After;
  announce(access.site, {});
  return true;
}

// The stub finds: return address, rsi, rdi, red zone (runtime/patch_entry.S).
void Trampolines::announce(wire::PatchSite site, const EffectiveAddress& address) {
  constexpr std::int64_t kPushed = 128 + 2 * 8;
  EffectiveAddress a = address;
  if (a.base == kRsp) a.displacement += kPushed;
  out_.skip_red_zone();
  out_.push(kRdi);
  out_.push(kRsi);
  if (site.kind != wire::PatchKind::After && site.kind != wire::PatchKind::Note && site.kind != wire::PatchKind::String) {
    out_.load_effective_address(kRdi, a);
    if (a.thread_local_base) out_.add_thread_pointer(kRdi, kRsi);
  }
  // Over the record of the site: eb 20 jumps its 32 bytes.
  out_.load_address(kRsi, out_.here() + 7 + 6 + 2);
  out_.call_through(room_.begin);
  out_.bytes({0xeb, sizeof site});
  out_.raw(&site, sizeof site);
  out_.pop(kRsi);
  out_.pop(kRdi);
  out_.unskip_red_zone();
}

void Trampolines::note_moved(const Displaced& d, bool is_site) {
  wire::PatchMoved m{};
  m.at = out_.here();
  m.original = run(d.address);
  m.is_site = is_site;
  m.unseen = is_site && may_synchronise(d);
  moved_.push_back(m);
}

bool Trampolines::relocate(const Displaced& d) {
  note_moved(d, false);
  const ZydisDecodedInstruction& i = d.decoded.instruction;
  if (is_branch(d.decoded)) return relocate_branch(d);
  if (is_call(d.decoded)) return relocate_call(d);
  if ((i.attributes & ZYDIS_ATTRIB_IS_RELATIVE) == 0) {
    out_.raw(d.code, i.length);
    return true;
  }
  if (i.raw.disp.size != 32) return false;
  const std::uint64_t target = run(d.end()) + static_cast<std::uint64_t>(i.raw.disp.value);
  out_.raw(d.code, i.raw.disp.offset);
  const int rest = i.length - i.raw.disp.offset - 4;
  out_.distance(target, rest);
  out_.raw(d.code + i.raw.disp.offset + 4, static_cast<std::size_t>(rest));
  return true;
}

// A call of what is in memory: the callee is to return to the code behind the original call, where unwinders know their way.
bool Trampolines::relocate_call(const Displaced& d) {
  const ZydisDecodedInstruction& i = d.decoded.instruction;
  const ZydisDecodedOperand& callee = d.decoded.operands[0];
  if (callee.type != ZYDIS_OPERAND_TYPE_MEMORY || callee.mem.base == ZYDIS_REGISTER_RSP || i.opcode != 0xff) return false;
  std::uint8_t jump[16];
  std::copy_n(d.code, i.length, jump);
  std::uint8_t& modrm = jump[i.raw.modrm.offset];
  modrm = static_cast<std::uint8_t>((modrm & ~0x38) | 4 << 3);  // from call (/2) to jmp (/4)
  out_.bytes({0xff, 0x35});  // push the address that follows the jump
  out_.distance(out_.here() + 4 + i.length);
  if (callee.mem.base == ZYDIS_REGISTER_RIP) {
    if (i.raw.disp.offset + 4u != i.length) return false;
    out_.raw(jump, i.raw.disp.offset);
    out_.distance(run(d.end()) + static_cast<std::uint64_t>(i.raw.disp.value));
  } else {
    out_.raw(jump, i.length);
  }
  out_.word(run(d.end()));
  return true;
}

bool Trampolines::relocate_branch(const Displaced& d) {
  const ZydisDecodedInstruction& i = d.decoded.instruction;
  const std::uint64_t target = run(d.end()) + static_cast<std::uint64_t>(i.raw.imm[0].value.s);
  if (is_counted_branch(i.mnemonic)) {
    // Taken: over the jump that follows, to the one after it.
    out_.raw(d.code, i.length - 1u);
    out_.bytes({5});
    out_.bytes({0xe9, 5, 0, 0, 0});
    out_.jump(target);
    return true;
  }
  if (i.meta.category == ZYDIS_CATEGORY_UNCOND_BR) {
    out_.jump(target);
    return true;
  }
  const std::uint8_t condition = i.opcode & 0x0f;
  out_.bytes({0x0f, static_cast<std::uint8_t>(0x80 | condition)});
  out_.distance(target);
  return true;
}

void Trampolines::overwrite(const std::vector<Displaced>& displaced, std::uint64_t trampoline) {
  wire::PatchWrite w{};
  const Displaced& first = displaced.front();
  w.address = run(first.address);
  w.target = trampoline;
  const bool jump = displaced.back().end() - first.address >= wire::kJumpLength;
  w.length = jump ? wire::kJumpLength : 1;
  if (jump) {
    CodeWriter code(w.address);
    code.jump(trampoline);
    std::copy(code.bytes().begin(), code.bytes().end(), w.bytes);
  } else {
    w.bytes[0] = wire::kTrapByte;
  }
  std::copy_n(first.code, w.length, w.original);
  writes_.push_back(w);
}

}  // namespace heddle::machine
