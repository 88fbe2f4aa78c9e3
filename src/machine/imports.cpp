#include "machine/imports.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "base/unique_fd.h"

namespace heddle::machine {
namespace {

struct ElfEnd {
  void operator()(Elf* elf) const { elf_end(elf); }
};

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

void add_symbol(DynamicSymbols& symbols, const GElf_Sym& symbol, const char* name) {
  const int type = GELF_ST_TYPE(symbol.st_info);
  if (GELF_ST_BIND(symbol.st_info) == STB_LOCAL || name == nullptr || *name == 0) return;
  if (symbol.st_shndx == SHN_UNDEF) {
    if (type != STT_OBJECT && type != STT_TLS) symbols.undefined.emplace_back(name);
    return;
  }
  symbols.defined.emplace(name, type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE);
}

void add_section(DynamicSymbols& symbols, Elf* elf, Elf_Scn* section, const GElf_Shdr& header) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  for (std::size_t i = 1; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) return;
    add_symbol(symbols, symbol, elf_strptr(elf, header.sh_link, symbol.st_name));
  }
}

bool is_c_library(std::string_view file) {
  static constexpr std::array<std::string_view, 9> kNames = {
      "libc.so.",    "libm.so.",      "libpthread.so.", "libdl.so.", "librt.so.",
      "libutil.so.", "libresolv.so.", "libanl.so.",     "ld-linux"};
  for (const std::string_view name : kNames)
    if (file.starts_with(name)) return true;
  return false;
}

bool is_cxx_library(std::string_view file) {
  return file.starts_with("libstdc++.so.") || file.starts_with("libgcc_s.so.");
}

}  // namespace

Result<DynamicSymbols> dynamic_symbols(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return Error{"cannot read " + path, "check its permissions"};
  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, ElfEnd> elf(elf_begin(fd.get(), ELF_C_READ_MMAP, nullptr));
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF)
    return Error{path + " is not an ELF file", ""};
  DynamicSymbols symbols;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) != nullptr && header.sh_type == SHT_DYNSYM)
      add_section(symbols, elf.get(), section, header);
  }
  return symbols;
}

std::vector<ForeignCall> foreign_calls(const std::vector<LoadedFile>& files) {
  std::vector<DynamicSymbols> symbols;
  for (const LoadedFile& file : files) {
    Result<DynamicSymbols> found = dynamic_symbols(file.path);
    symbols.push_back(found ? std::move(*found) : DynamicSymbols{});
  }
  // Where the loader finds a name, and whether it is a function there.
  const auto definition =
      [&](const std::string& name) -> std::optional<std::pair<std::size_t, bool>> {
    for (std::size_t i = 0; i < files.size(); ++i)
      if (const auto at = symbols[i].defined.find(name); at != symbols[i].defined.end())
        return std::pair(i, at->second);
    return std::nullopt;
  };
  std::vector<ForeignCall> calls;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!files[i].instrumented) continue;
    for (const std::string& name : symbols[i].undefined) {
      const auto found = definition(name);
      if (!found || !found->second || files[found->first].instrumented) continue;
      ForeignCall call{name, file_name(files[found->first].path), file_name(files[i].path)};
      const bool c = is_c_library(call.library), cxx = is_cxx_library(call.library);
      call.standard = c || cxx;
      call.row = c ? c_library_row(name) : cxx ? cxx_library_row(name) : nullptr;
      calls.push_back(std::move(call));
    }
  }
  return calls;
}

}  // namespace heddle::machine
