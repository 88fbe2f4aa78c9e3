#include "cli/driver.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "cli/command.h"
#include "cli/driver_arguments.h"

namespace heddle {
namespace {

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

Status check_supported(const Arguments& arguments) {
  if (!arguments.foreign_sanitizer.empty())
    return Error{"-fsanitize=" + arguments.foreign_sanitizer + " cannot be combined with heddle's instrumentation",
                 "build without it; heddle check reports heap misuse and races itself"};
  if (!arguments.other_machine.empty() && arguments.has_input)
    return Error{"heddle runs programs for x86-64 only, and " + arguments.other_machine + " asks for another machine", "build without it"};
  const bool program = arguments.links && !arguments.shared && !arguments.relocatable && !arguments.no_standard_library;
  if (program && arguments.fully_static)
    return Error{"a program under test must be linked dynamically: -static leaves no pthread calls to intercept",
                 "link without -static (-static-libgcc and -static-libstdc++ are fine)"};
  return Nothing{};
}

// Options that go in front, so that the user's own win where both speak (-g3 over -g).
Words leading_options(const Compiler& compiler, const Kit& kit, const Arguments& arguments) {
  Words words;
  // Also when only linking: under -flto gcc generates, and instruments, the code there.
  if (compiler.family == CompilerFamily::Gcc && arguments.instrument) words.push_back("-specs=" + kit.gcc_specs);
  if (arguments.compiles) words.push_back("-g");
  return words;
}

// Behind -Xclang nothing is an "unused argument", which clang otherwise reports, e.g. for an include path with a .i file.
Words for_clang_frontend(const Words& options) {
  Words words;
  for (const std::string& option : options) append(words, {"-Xclang", option});
  return words;
}

// Options that must have the last word: without them stacks, source lines or lost updates are missing from reports.
Words compile_options(const Compiler& compiler, const Kit& kit, const Arguments& arguments) {
  Words words{"-fno-omit-frame-pointer"};
  if (arguments.drops_debug_info) words.push_back("-g");
  const Words include{"-isystem", kit.include_dir + "/libstdc++", "-idirafter", kit.include_dir};
  if (compiler.family == CompilerFamily::Gcc) {
    append(words, include);
    words.push_back("-Wno-tsan");  // gcc warns that libtsan does not model fences; our runtime does
    // Copies as string instructions are made after the instrumentation. A call of memcpy is a hook.
    if (arguments.instrument) words.push_back("-mstringop-strategy=libcall");
    return words;
  }
  append(words, for_clang_frontend(include));
  if (arguments.instrument) {
    append(words, for_clang_frontend({"-fsanitize=thread"}));
    append(words, {"-mllvm", "-tsan-instrument-read-before-write=1"});
    // The instrumentation leaves out vectors of more than 128 bits: wide registers, and sums of many
    // elements that are taken for one vector.
    append(words, {"-mprefer-vector-width=128", "-mllvm", "-slp-vectorize-hor=false"});
    // Without optimisation a switch on a constant jumps by a table that the audit cannot follow.
    words.push_back("-fno-jump-tables");
  }
  return words;
}

// --exclude-libs would hide the runtime's pthread functions from the program's own libraries, among them libstdc++, and
// threads would be started behind its back. It only concerns what a program exports, so nothing is lost without it.
Words without_excluded_libraries(Words words) {
  std::erase_if(words, [](const std::string& word) { return word.starts_with("-Wl,--exclude-libs"); });
  return words;
}

// Functions of the C++ library that would be taken from libstdc++.so, which is not instrumented. They stay hidden in the
// program or library that is linked: code without instrumentation goes on to call the shared ones.
Words cxx_library(const Kit& kit) {
  return {"-Wl,--exclude-libs,libheddle_cxx.a", "-Xlinker", kit.cxx_library};
}

// Where the C++ library is named on the command line, ours goes in front of it. It must be the shared one, since ours calls
// into it.
Words with_cxx_library(const Words& words, const Kit& kit) {
  Words result;
  for (const std::string& word : words) {
    if (word == "-static-libstdc++") continue;
    if (word == "-lstdc++") append(result, cxx_library(kit));
    result.push_back(word);
  }
  return result;
}

// -Xlinker, since a plain file name after `-x c` would be taken for a C source.
Words link_options(const Kit& kit, const Arguments& arguments) {
  Words words = cxx_library(kit);
  if (!arguments.shared) {
    append(words, {"-Wl,--whole-archive", "-Xlinker", kit.runtime, "-Wl,--no-whole-archive",
                   "-Xlinker", "--dynamic-list=" + kit.symbols});
  } else if (arguments.forbids_undefined) {  // it finds the runtime in the program that loads it
    words.push_back("-Wl,-z,undefs");
  }
  append(words, {"-ldl", "-lpthread"});
  return words;
}

Result<Words> plan(Language language, const Words& words) {
  Result<Compiler> compiler = find_compiler(language);
  if (!compiler) return compiler.error();
  Result<Kit> kit = find_kit();
  if (!kit) return kit.error();
  return plan_command(*compiler, *kit, words);
}

int drive(Language language, int argc, char** argv) {
  Result<Words> command = plan(language, Words(argv + 1, argv + argc));
  if (!command) return print_error(command.error());
  std::vector<char*> pointers;
  for (std::string& word : *command) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  return print_error({std::string("cannot start ") + pointers[0] + ": " + std::strerror(errno), ""});
}

}  // namespace

Result<Words> plan_command(const Compiler& compiler, const Kit& kit, const Words& words) {
  const Arguments arguments = parse_arguments(words);
  if (Status status = check_supported(arguments); !status) return status.error();
  Words command = compiler.command;
  if (!arguments.has_input) {  // --version, -dumpmachine, -print-…: the compiler's own business
    append(command, words);
    return command;
  }
  append(command, leading_options(compiler, kit, arguments));
  const bool adds_libraries = arguments.links && !arguments.relocatable && !arguments.no_standard_library;
  Words own = arguments.links && !arguments.shared ? without_excluded_libraries(arguments.words) : arguments.words;
  append(command, adds_libraries ? with_cxx_library(own, kit) : own);
  if (arguments.compiles) append(command, compile_options(compiler, kit, arguments));
  if (adds_libraries) append(command, link_options(kit, arguments));
  // For programs that call __gcov_dump() and its like themselves.
  if (arguments.links && arguments.counts && compiler.family == CompilerFamily::Gcc) command.push_back("-lgcov");
  return command;
}

int run_cc(int argc, char** argv) { return drive(Language::C, argc, argv); }
int run_cxx(int argc, char** argv) { return drive(Language::Cxx, argc, argv); }

}  // namespace heddle
