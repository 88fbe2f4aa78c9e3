#include "machine/code_bytes.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/unique_fd.h"

namespace heddle::machine {
namespace {

bool read_at(int fd, void* to, std::size_t bytes, std::uint64_t offset) {
  return pread(fd, to, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
}

}  // namespace

Result<CodeBytes> CodeBytes::read(const std::string& elf_path) {
  const Error unreadable{fmt::format("cannot read the code of {}", elf_path), "check that the file is still there"};
  UniqueFd fd(open(elf_path.c_str(), O_RDONLY | O_CLOEXEC));
  Elf64_Ehdr header;
  if (!fd || !read_at(fd.get(), &header, sizeof header, 0) || header.e_phentsize != sizeof(Elf64_Phdr)) return unreadable;
  CodeBytes code;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part;
    if (!read_at(fd.get(), &part, sizeof part, header.e_phoff + i * sizeof part)) return unreadable;
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0 || part.p_filesz > (1ULL << 31)) continue;
    Segment segment{part.p_vaddr, std::vector<std::uint8_t>(part.p_filesz)};
    if (!read_at(fd.get(), segment.bytes.data(), part.p_filesz, part.p_offset)) return unreadable;
    code.segments_.push_back(std::move(segment));
  }
  return code;
}

CodeBytes::View CodeBytes::at(std::uint64_t address) const {
  for (const Segment& s : segments_)
    if (address >= s.address && address - s.address < s.bytes.size()) return {s.bytes.data() + (address - s.address), s.bytes.size() - (address - s.address)};
  return {};
}

}  // namespace heddle::machine
