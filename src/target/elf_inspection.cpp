#include "target/elf_inspection.h"

#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "base/unique_fd.h"
#include "wire/wire.h"

namespace heddle {
namespace {

constexpr const char* kRebuild = "build it with `heddle c++` (or `heddle cc`), for example: heddle c++ -g prog.cpp -o prog";

struct ElfEnd {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfEnd>;

#if defined(__x86_64__)
constexpr int kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int kMachine = EM_AARCH64;
#else
#error "no ELF machine number for this architecture"
#endif

// The descriptor of heddle's note among the notes in `data`.
std::optional<std::uint32_t> version_in_notes(Elf_Data* data) {
  if (data == nullptr || data->d_buf == nullptr) return std::nullopt;
  GElf_Nhdr note;
  std::size_t name_at = 0, descriptor_at = 0;
  for (std::size_t at = 0; (at = gelf_getnote(data, at, &note, &name_at, &descriptor_at)) != 0;) {
    const char* bytes = static_cast<const char*>(data->d_buf);
    const bool ours = note.n_type == wire::kNoteType && note.n_namesz == sizeof "Heddle" &&
                      std::memcmp(bytes + name_at, "Heddle", sizeof "Heddle") == 0;
    if (!ours || note.n_descsz < sizeof(std::uint32_t)) continue;
    std::uint32_t version;
    std::memcpy(&version, bytes + descriptor_at, sizeof version);
    return version;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> version_in_segments(Elf* elf) {
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr || header.p_type != PT_NOTE) continue;
    const Elf_Type type = header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
    Elf_Data* data = elf_getdata_rawchunk(elf, static_cast<std::int64_t>(header.p_offset), header.p_filesz, type);
    if (auto version = version_in_notes(data)) return version;
  }
  return std::nullopt;
}

// For linkers that were told to put the section outside any note segment.
std::optional<std::uint32_t> version_in_sections(Elf* elf) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return std::nullopt;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_NOTE) continue;
    const char* name = elf_strptr(elf, names, header.sh_name);
    if (name == nullptr || std::strcmp(name, ".note.heddle") != 0) continue;
    if (auto version = version_in_notes(elf_getdata(section, nullptr))) return version;
  }
  return std::nullopt;
}

std::optional<Error> refuse_by_file(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) {
    return Error{fmt::format("cannot open {}: {}", path, std::strerror(errno)), "check the path of the program to test"};
  }
  if (S_ISDIR(facts.st_mode))
    return Error{fmt::format("{} is a directory, not a program", path), "name the program inside it"};
  if (!S_ISREG(facts.st_mode)) return Error{fmt::format("{} is not a regular file", path), "name a program"};
  return std::nullopt;
}

std::optional<Error> refuse_by_header(const std::string& path, Elf* elf) {
  GElf_Ehdr header;
  if (elf == nullptr || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == nullptr) {
    return Error{fmt::format("{} is not an ELF program (a script, or another kind of file)", path),
                 "name the binary itself, or a .c or .cpp file to compile"};
  }
  if (header.e_machine != kMachine || header.e_ident[EI_CLASS] != ELFCLASS64) {
    return Error{fmt::format("{} is built for another kind of processor", path), "build it for this machine"};
  }
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
    return Error{fmt::format("{} is not a linked program", path), "link it with `heddle c++` or `heddle cc`"};
  }
  return std::nullopt;
}

}  // namespace

Result<ElfFacts> inspect_elf(const std::string& path) {
  if (auto refused = refuse_by_file(path)) return *refused;
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return Error{fmt::format("cannot read {}: {}", path, std::strerror(errno)), "check its permissions"};
  elf_version(EV_CURRENT);
  ElfHandle elf(elf_begin(fd.get(), ELF_C_READ, nullptr));
  if (auto refused = refuse_by_header(path, elf.get())) return *refused;
  if (access(path.c_str(), X_OK) != 0) {
    return Error{fmt::format("{} is not executable", path), fmt::format("chmod +x {}", path)};
  }
  ElfFacts facts{path.find('/') == std::string::npos ? "./" + path : path, version_in_segments(elf.get())};
  if (!facts.wire_version) facts.wire_version = version_in_sections(elf.get());
  return facts;
}

Result<ElfFacts> inspect_program(const std::string& path) {
  Result<ElfFacts> facts = inspect_elf(path);
  if (!facts) return facts;
  if (!facts->wire_version) return Error{fmt::format("{} is not instrumented", path), kRebuild};
  if (*facts->wire_version != wire::kVersion) {
    return Error{fmt::format("{} was built with wire version {}, this heddle speaks version {}", path, *facts->wire_version,
                             wire::kVersion),
                 "rebuild the program with this heddle's `heddle c++` (or `heddle cc`)"};
  }
  return facts;
}

}  // namespace heddle
