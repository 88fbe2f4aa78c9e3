// The audit of a program's machine code: which accesses to memory does no hook announce?
//
// The compiler calls a hook of the runtime before an access that other threads may see, but leaves
// some out: structs returned by value, copies that it expands late, inline assembly, whole objects
// that were built without the drivers. The audit reads the code of a linked program or library and
// proves of every access that it is covered by a hook, private to its thread, or of memory that
// nobody writes. What it cannot prove is a site.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::machine {

// Changes whenever the audit of the same file may have another result.
inline constexpr std::uint32_t kAuditVersion = 13;

// An instruction that may access memory which other threads can reach, and that no hook covers.
struct Site {
  std::uint64_t address = 0;  // as linked: the virtual address in the ELF file
  std::uint8_t length = 0;    // of the instruction
  // So many bytes from `address` on may be overwritten by a jump. No target of a branch, landing
  // pad, start of a function, return address or call lies inside. From `length` to 16.
  std::uint8_t room = 0;
  // Its function calls hooks, and the compiler left this access out. False: the function has no
  // hooks at all (built without the drivers, no_sanitize, hand-written assembly).
  bool instrumented = false;
  friend bool operator==(const Site&, const Site&) = default;
};

// Code that could not be decoded or followed.
struct Gap {
  std::uint64_t address = 0, length = 0;
  std::string why;
  friend bool operator==(const Gap&, const Gap&) = default;
};

struct Audit {
  std::vector<Site> sites;         // by address
  std::vector<Gap> gaps;           // by address
  std::uint64_t accesses = 0;      // instructions that access memory
  std::uint64_t covered = 0;       // of these: by hooks
  std::uint64_t private_ones = 0;  // the thread's own stack, constants
  friend bool operator==(const Audit&, const Audit&) = default;
};

// A pure function of the file.
Result<Audit> audit(const std::string& elf_path);

// The same, from the user's cache (XDG_CACHE_HOME/heddle) where the file was audited before.
Result<Audit> audit_cached(const std::string& elf_path);

}  // namespace heddle::machine
