// The executable bytes of an ELF file, by the address that they are linked at.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::machine {

class CodeBytes {
 public:
  static Result<CodeBytes> read(const std::string& elf_path);

  // From `address` up to the end of its segment; nothing if there is no code.
  struct View {
    const std::uint8_t* data = nullptr;
    std::size_t size = 0;
  };
  View at(std::uint64_t address) const;

 private:
  struct Segment {
    std::uint64_t address = 0;
    std::vector<std::uint8_t> bytes;
  };
  std::vector<Segment> segments_;
};

}  // namespace heddle::machine
