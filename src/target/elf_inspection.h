// Looks at a program's file before it is started, so that the wrong kind of file gets an answer instead of a hang.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace heddle {

struct ElfFacts {
  std::string path;                           // as exec will get it
  std::optional<std::uint32_t> wire_version;  // of the note that heddle's runtime carries; none: not instrumented
};

// The facts of an executable file for this machine; otherwise an Error that says what is wrong with it.
Result<ElfFacts> inspect_elf(const std::string& path);

// The same, and REQUIRES the note with our own wire version.
Result<ElfFacts> inspect_program(const std::string& path);

}  // namespace heddle
