// Which real compiler stands behind a driver: $HEDDLE_CC or $HEDDLE_CXX, else gcc or g++.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle {

enum class Language { C, Cxx };
enum class CompilerFamily { Gcc, Clang };

struct Compiler {
  std::vector<std::string> command;  // may be several words: "ccache clang -m64"
  CompilerFamily family = CompilerFamily::Gcc;
};

// Reads the environment. Asks the compiler itself (--version) only when its name does not tell the family.
Result<Compiler> find_compiler(Language language);

// Where `program` would be found by execvp; empty if nowhere.
std::string find_in_path(const std::string& program);

}  // namespace heddle
