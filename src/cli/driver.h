// The drop-in compiler drivers `heddle cc` and `heddle c++`, and compiling on the fly for `heddle check foo.cpp`.
//
// A driver turns the user's command line into one command line of the real compiler and becomes it (exec): nothing is split,
// no temporary files, so that -o, -M*, -save-temps, -###, exit codes and signals are the compiler's own.
//
// The trick is to tell the code generator about -fsanitize=thread and not the driver, which would link libtsan:
//   gcc    -specs=gcc.specs, which adds the option to cc1 (and to lto1: gcc instruments at link time under -flto, and
//          loses the instrumentation silently when only the compile step has the option)
//   clang  -Xclang -fsanitize=thread, plus -mllvm -tsan-instrument-read-before-write=1, without which clang drops the
//          read of `x++` and a lost update can never be seen
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/driver_compiler.h"
#include "cli/driver_kit.h"

namespace heddle {

// The command to run instead of `arguments` (without the driver's own name). Pure apart from reading @files.
Result<std::vector<std::string>> plan_command(const Compiler& compiler, const Kit& kit,
                                              const std::vector<std::string>& arguments);

// Compiles one source file with instrumentation (gnu17 or gnu++20, -O1 -g, then extra_flags) and answers the path of the
// program. Programs are kept in the user's cache, so that traces can be replayed, and are rebuilt when the source, one of
// its headers, the flags, the compiler or the runtime changed. Compiler messages appear as the compiler prints them.
Result<std::string> compile_for_check(const std::string& source, const std::vector<std::string>& extra_flags);

// A source file that compile_for_check takes, by its name.
bool is_source_file(const std::string& path);

}  // namespace heddle
