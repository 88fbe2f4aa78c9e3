#include "machine/own_order.h"

#include <Zydis/Zydis.h>
#include <fcntl.h>
#include <gelf.h>

#include <memory>

#include "base/unique_fd.h"

namespace heddle::machine {
namespace {

struct ElfEnd {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfEnd>;

bool is_atomic(const ZydisDecodedInstruction& i) {
  if (i.attributes & ZYDIS_ATTRIB_HAS_LOCK) return true;
  const bool in_memory = (i.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0 && i.raw.modrm.mod != 3;
  return i.mnemonic == ZYDIS_MNEMONIC_XCHG && in_memory;
}

bool is_code(const GElf_Shdr& header) {
  return header.sh_type == SHT_PROGBITS && (header.sh_flags & SHF_EXECINSTR) != 0;
}

}  // namespace

bool has_atomic_instruction(std::span<const std::uint8_t> code) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  ZydisDecodedInstruction i;
  for (std::size_t at = 0; at < code.size();) {
    const bool is_known = ZYAN_SUCCESS(
        ZydisDecoderDecodeInstruction(&decoder, nullptr, code.data() + at, code.size() - at, &i));
    if (is_known && is_atomic(i)) return true;
    at += is_known ? i.length : 1;
  }
  return false;
}

bool has_atomic_instruction(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return false;
  elf_version(EV_CURRENT);
  ElfHandle elf(elf_begin(fd.get(), ELF_C_READ, nullptr));
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF) return false;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || !is_code(header)) continue;
    const Elf_Data* data = elf_rawdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) continue;
    if (has_atomic_instruction({static_cast<const std::uint8_t*>(data->d_buf), data->d_size}))
      return true;
  }
  return false;
}

}  // namespace heddle::machine
