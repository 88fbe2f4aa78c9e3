// What the tested program does and heddle does not see. A verdict says nothing about it, and
// therefore names it.
#pragma once
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "wire/uncovered.h"
#include "wire/wire.h"

namespace heddle {

// As users see it. Places of one function and line that are not seen for one reason are one entry.
struct Uncovered {
  std::string what;      // "access" | "call" | "library" | "code"
  std::string function;  // where it is, or what is called; may be empty
  std::string where;     // "file:line", or "libfoo.so+0x12f0"; may be empty
  std::string reason;    // a few words
  std::uint64_t count = 1;  // places in the code, not how often they ran
};
const char* uncovered_name(wire::UncoveredKind kind);  // "access" | "call" | "library" | "code"

// Adds the counts where there is an entry that differs in nothing else.
void add_uncovered(std::vector<Uncovered>& all, const Uncovered& one);
void add_uncovered(std::vector<Uncovered>& all, const std::vector<Uncovered>& more);

// As the target has noted it while it ran (wire/uncovered.h): the place has no name yet.
struct UncoveredNote {
  wire::UncoveredKind kind{};
  wire::Address pc = 0;
  std::string function, reason;
  friend auto operator<=>(const UncoveredNote&, const UncoveredNote&) = default;
};

// Notes are sets: the same place noted by many targets is one place.
void add_notes(std::vector<UncoveredNote>& all, const std::vector<UncoveredNote>& more);

}  // namespace heddle
