// An ELF file as the audit sees it: what lies at which address, what is constant once the program
// runs, which functions there are, and the names of what is called from other files.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"

struct Elf;
struct Elf_Scn;

namespace heddle::machine {

struct Range {
  std::uint64_t begin = 0, end = 0;
  bool contains(std::uint64_t address) const { return address >= begin && address < end; }
};

// A section with code in it.
struct CodeSection {
  Range range;
  std::string name;
};

// A symbol in a code section.
struct CodeSymbol {
  std::uint64_t address = 0, size = 0;
  std::string name;
  bool function = false;  // false: a label without a type, as assembly files have them
};

// A call that an exception may leave, and where it goes on then.
struct LandingPad {
  Range calls;
  std::uint64_t address = 0;
};

// What .eh_frame says of one piece of code.
struct Frame {
  Range range;
  std::vector<LandingPad> pads;
  bool pushes_arguments = false;  // the stack pointer at a landing pad is not that of the call
};

class Image {
 public:
  static Result<Image> open(const std::string& path);

  // The bytes from `address` to the end of what the file has of its segment.
  std::span<const std::uint8_t> bytes(std::uint64_t address) const;
  template <class T>
  std::optional<T> read(std::uint64_t address) const;

  // Nobody writes there once the program runs.
  bool is_constant(std::uint64_t address, std::uint64_t size) const;
  bool is_mapped(std::uint64_t address) const;
  // The 64-bit word that the loader leaves at a constant place, if it leads into this file.
  std::optional<std::uint64_t> pointer(std::uint64_t address) const;
  // The name of the symbol of another (or perhaps another) file that the loader puts there.
  std::string_view imported(std::uint64_t address) const;
  // Is linked at a fixed address, so that a number may be an address.
  bool is_fixed() const { return fixed_; }

  const std::string& path() const { return path_; }
  const std::vector<CodeSection>& code() const { return code_; }
  const std::vector<CodeSymbol>& symbols() const { return symbols_; }  // by address
  const std::vector<Frame>& frames() const { return frames_; }         // by address
  // Every address in code that a word of the data holds: functions, labels.
  const std::vector<std::uint64_t>& code_pointers() const { return code_pointers_; }

 private:
  struct Segment {
    Range range;
    std::uint64_t file_end = 0;  // of what the file has of it
    const std::uint8_t* data = nullptr;
    bool writable = false, executable = false;
  };

  Status load(const std::string& path);
  void load_segments(Elf* elf);
  void load_sections(Elf* elf);
  void load_symbols(Elf* elf, Elf_Scn* section, bool dynamic);
  void load_relocations(Elf* elf, Elf_Scn* section);
  void collect_code_pointers();
  bool in_code(std::uint64_t address) const;

  std::string path_;
  std::vector<std::uint8_t> file_;
  bool fixed_ = false;
  std::vector<Segment> segments_;
  std::vector<Range> constant_;
  std::vector<CodeSection> code_;
  std::vector<CodeSymbol> symbols_;
  std::vector<Frame> frames_;
  std::unordered_map<std::uint64_t, std::string> imports_;
  std::unordered_map<std::uint64_t, std::uint64_t> relative_;
  std::vector<std::uint64_t> code_pointers_;
};

template <class T>
std::optional<T> Image::read(std::uint64_t address) const {
  const std::span<const std::uint8_t> from = bytes(address);
  if (from.size() < sizeof(T)) return std::nullopt;
  T value;
  __builtin_memcpy(&value, from.data(), sizeof value);
  return value;
}

// The entries of .eh_frame with their landing pads, by address. What is malformed is left out.
std::vector<Frame> read_frames(const Image& image, Range eh_frame);

}  // namespace heddle::machine
