#include "machine/image.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/unique_fd.h"

namespace heddle::machine {
namespace {

struct ElfEnd {
  void operator()(Elf* elf) const { elf_end(elf); }
};

Result<std::vector<std::uint8_t>> read_file(const std::string& path) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat facts {};
  if (!file || fstat(file.get(), &facts) != 0)
    return Error{fmt::format("cannot open {}: {}", path, std::strerror(errno)), "check the path"};
  if (!S_ISREG(facts.st_mode))
    return Error{fmt::format("{} is not a regular file", path), "name a program or a library"};
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(facts.st_size));
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t got = ::read(file.get(), bytes.data() + at, bytes.size() - at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Error{fmt::format("cannot read {}: {}", path, std::strerror(errno)), ""};
    at += static_cast<std::size_t>(got);
  }
  return bytes;
}

Status check_header(const std::string& path, Elf* elf, GElf_Ehdr& header) {
  if (elf == nullptr || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == nullptr)
    return Error{fmt::format("{} is not an ELF file", path), "name a linked program or library"};
  if (header.e_machine != EM_X86_64 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return Error{fmt::format("{} is built for another kind of processor", path),
                 "build it for x86-64"};
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
    return Error{fmt::format("{} is not a linked program or library", path),
                 "link it with `heddle c++` or `heddle cc`"};
  return Nothing{};
}

}  // namespace

Result<Image> Image::open(const std::string& path) {
  Image image;
  if (Status loaded = image.load(path); !loaded) return loaded.error();
  return image;
}

Status Image::load(const std::string& path) {
  path_ = path;
  Result<std::vector<std::uint8_t>> file = read_file(path);
  if (!file) return file.error();
  file_ = std::move(*file);
  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, ElfEnd> elf(
      elf_memory(reinterpret_cast<char*>(file_.data()), file_.size()));
  GElf_Ehdr header;
  if (Status fine = check_header(path, elf.get(), header); !fine) return fine;
  fixed_ = header.e_type == ET_EXEC;
  load_segments(elf.get());
  load_sections(elf.get());
  collect_code_pointers();
  return Nothing{};
}

void Image::load_segments(Elf* elf) {
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr p;
    if (gelf_getphdr(elf, static_cast<int>(i), &p) == nullptr) continue;
    const Range range{p.p_vaddr, p.p_vaddr + p.p_memsz};
    if (p.p_type == PT_GNU_RELRO) constant_.push_back(range);
    if (p.p_type != PT_LOAD || p.p_offset > file_.size()) continue;
    const std::uint64_t size = std::min<std::uint64_t>(p.p_filesz, file_.size() - p.p_offset);
    segments_.push_back({range, p.p_vaddr + size, file_.data() + p.p_offset,
                         (p.p_flags & PF_W) != 0, (p.p_flags & PF_X) != 0});
    if (!(p.p_flags & PF_W)) constant_.push_back(range);
  }
}

void Image::load_sections(Elf* elf) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) names = 0;
  Range eh_frame;
  std::vector<Elf_Scn*> symbol_tables, relocation_tables;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr s;
    if (gelf_getshdr(section, &s) == nullptr) continue;
    const char* name = elf_strptr(elf, names, s.sh_name);
    const std::string_view text = name ? name : "";
    const Range range{s.sh_addr, s.sh_addr + s.sh_size};
    if ((s.sh_flags & SHF_EXECINSTR) && (s.sh_flags & SHF_ALLOC) && s.sh_type != SHT_NOBITS)
      code_.push_back({range, std::string(text)});
    if (text == ".eh_frame") eh_frame = range;
    if (s.sh_type == SHT_SYMTAB || s.sh_type == SHT_DYNSYM) symbol_tables.push_back(section);
    if (s.sh_type == SHT_RELA && (s.sh_flags & SHF_ALLOC)) relocation_tables.push_back(section);
  }
  if (code_.empty())  // no section headers
    for (const Segment& segment : segments_)
      if (segment.executable) code_.push_back({{segment.range.begin, segment.file_end}, ""});
  std::sort(code_.begin(), code_.end(), [](const CodeSection& a, const CodeSection& b) {
    return a.range.begin < b.range.begin;
  });
  for (Elf_Scn* table : symbol_tables) load_symbols(elf, table, false);
  std::stable_sort(symbols_.begin(), symbols_.end(),
                   [](const CodeSymbol& a, const CodeSymbol& b) { return a.address < b.address; });
  for (Elf_Scn* table : relocation_tables) load_relocations(elf, table);
  if (eh_frame.end > eh_frame.begin) frames_ = read_frames(*this, eh_frame);
}

void Image::load_symbols(Elf* elf, Elf_Scn* section, bool) {
  GElf_Shdr s;
  Elf_Data* data = elf_getdata(section, nullptr);
  if (gelf_getshdr(section, &s) == nullptr || data == nullptr || s.sh_entsize == 0) return;
  for (std::size_t i = 0; i < s.sh_size / s.sh_entsize; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
    const int type = GELF_ST_TYPE(symbol.st_info);
    const bool function = type == STT_FUNC || type == STT_GNU_IFUNC;
    if ((!function && type != STT_NOTYPE) || symbol.st_shndx == SHN_UNDEF) continue;
    if (symbol.st_shndx == SHN_ABS || !in_code(symbol.st_value)) continue;
    const char* name = elf_strptr(elf, s.sh_link, symbol.st_name);
    symbols_.push_back({symbol.st_value, symbol.st_size, name ? name : "", function});
  }
}

void Image::load_relocations(Elf* elf, Elf_Scn* section) {
  GElf_Shdr s, table_header;
  Elf_Data* data = elf_getdata(section, nullptr);
  if (gelf_getshdr(section, &s) == nullptr || data == nullptr || s.sh_entsize == 0) return;
  Elf_Scn* table = elf_getscn(elf, s.sh_link);
  Elf_Data* symbols = table ? elf_getdata(table, nullptr) : nullptr;
  if (table && gelf_getshdr(table, &table_header) == nullptr) symbols = nullptr;
  for (std::size_t i = 0; i < s.sh_size / s.sh_entsize; ++i) {
    GElf_Rela r;
    if (gelf_getrela(data, static_cast<int>(i), &r) == nullptr) break;
    if (GELF_R_TYPE(r.r_info) == R_X86_64_RELATIVE || GELF_R_TYPE(r.r_info) == R_X86_64_IRELATIVE)
      relative_[r.r_offset] = static_cast<std::uint64_t>(r.r_addend);
    GElf_Sym symbol;
    const auto index = static_cast<int>(GELF_R_SYM(r.r_info));
    if (index == 0 || symbols == nullptr || gelf_getsym(symbols, index, &symbol) == nullptr)
      continue;
    const char* name = elf_strptr(elf, table_header.sh_link, symbol.st_name);
    imports_[r.r_offset] = name ? name : "";
  }
}

bool Image::in_code(std::uint64_t address) const {
  return std::any_of(code_.begin(), code_.end(),
                     [&](const CodeSection& s) { return s.range.contains(address); });
}

// In a file that is linked at a fixed address, any word of the data may be one.
void Image::collect_code_pointers() {
  for (const auto& [place, target] : relative_)
    if (in_code(target)) code_pointers_.push_back(target);
  for (const Segment& segment : segments_) {
    if (!fixed_ || segment.executable) continue;
    for (std::uint64_t at = (segment.range.begin + 7) & ~7ULL; at + 8 <= segment.file_end; at += 8)
      if (const std::uint64_t target = *read<std::uint64_t>(at); in_code(target))
        code_pointers_.push_back(target);
  }
  std::sort(code_pointers_.begin(), code_pointers_.end());
  code_pointers_.erase(std::unique(code_pointers_.begin(), code_pointers_.end()),
                       code_pointers_.end());
}

std::span<const std::uint8_t> Image::bytes(std::uint64_t address) const {
  for (const Segment& s : segments_)
    if (address >= s.range.begin && address < s.file_end)
      return {s.data + (address - s.range.begin), s.data + (s.file_end - s.range.begin)};
  return {};
}

bool Image::is_constant(std::uint64_t address, std::uint64_t size) const {
  return std::any_of(constant_.begin(), constant_.end(), [&](const Range& r) {
    return address >= r.begin && address < r.end && size <= r.end - address;
  });
}

bool Image::is_mapped(std::uint64_t address) const {
  return std::any_of(segments_.begin(), segments_.end(),
                     [&](const Segment& s) { return s.range.contains(address); });
}

std::optional<std::uint64_t> Image::pointer(std::uint64_t address) const {
  if (!is_constant(address, 8)) return std::nullopt;
  if (auto found = relative_.find(address); found != relative_.end()) return found->second;
  if (!fixed_ || imports_.contains(address)) return std::nullopt;
  return read<std::uint64_t>(address);
}

std::string_view Image::imported(std::uint64_t address) const {
  auto found = imports_.find(address);
  return found == imports_.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace heddle::machine
