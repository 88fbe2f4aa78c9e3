// The files that the drivers add to a compilation, found relative to the running executable: in a build tree or an install.
#pragma once
#include <string>

#include "base/result.h"

namespace heddle {

struct Kit {
  std::string runtime;       // libheddle_rt.a
  std::string symbols;       // heddle_rt.syms: what shared libraries must find in the program
  std::string gcc_specs;     // gcc.specs
  std::string include_dir;   // holds heddle/heddle.h, and headers that go before libstdc++'s own
  std::string cxx_library;   // libheddle_cxx.a: what libstdc++.so would hide; itself compiled by a driver, without it
};

// ENSURES that all exist but the last.
Result<Kit> find_kit();

}  // namespace heddle
