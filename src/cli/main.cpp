// `heddle`: hands over to a subcommand. Each is one file; see command.h.
#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "cli/command.h"

namespace {

struct Command {
  std::string_view name;
  int (*run)(int argc, char** argv);
  std::string_view help;
};

constexpr auto kCommands = std::to_array<Command>({
    {"check", heddle::run_check, "check [OPTIONS] PROG [ARGS...]   explore a program, or a .c/.cpp file compiled on the fly"},
    {"replay", heddle::run_replay, "replay TRACE                     run one recorded execution again"},
    {"report", heddle::run_report, "report TRACE                     render a recorded execution"},
    {"audit", heddle::run_audit, "audit PROGRAM                    list the memory accesses that no instrumentation announces"},
    {"cc", heddle::run_cc, "cc ARGS...                       compile C with instrumentation (drop-in for gcc and clang)"},
    {"c++", heddle::run_cxx, "c++ ARGS...                      the same for C++"},
    {"doctor", heddle::run_doctor, "doctor                           can this machine run heddle; what is missing"},
});

void print_help() {
  std::printf("heddle " HEDDLE_VERSION ": explores every way the threads of a C or C++ program can interleave\n\nUsage:\n");
  for (const Command& command : kCommands) std::printf("  heddle %.*s\n", static_cast<int>(command.help.size()), command.help.data());
  std::printf(
      "  heddle --help | --version\n"
      "\n'heddle check --help' lists the options of a command. First steps:\n"
      "  heddle check examples/account_race.cpp\n"
      "  heddle c++ -O1 prog.cpp -o prog && heddle check ./prog\n"
      "\nExit codes: 0 verified or within the bound, 1 bug found, 2 usage or environment, 3 incomplete,\n"
      "4 nondeterminism, 5 unsupported operation, 70 internal error.\n");
}

int unknown_command(std::string_view name) {
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  const std::optional<std::string> near = heddle::nearest(name, names);
  const std::string hint = near ? "did you mean '" + *near + "'?" : "see 'heddle --help'";
  return heddle::print_error({"there is no command '" + std::string(name) + "'; " + hint, ""});
}

// Started with closed descriptors, we would open files in their places, and write results and talk into these.
void fill_standard_descriptors() {
  for (int fd = 0; fd <= 2; ++fd)
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) (void)!open("/dev/null", O_RDWR);
}

// A result that nobody can read is none. What else has gone wrong says more than that.
int told(int code) {
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout.good()) return code;
  const std::string why = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
  const int failed = heddle::print_error({"cannot write to standard output" + why, "see where it leads, or whether its disk is full"});
  return code == 0 ? failed : code;
}

int run(int argc, char** argv) {
  if (argc < 2) {
    print_help();
    return static_cast<int>(heddle::ExitCode::Usage);
  }
  const std::string_view name = argv[1];
  for (const Command& command : kCommands)
    if (name == command.name) return command.run(argc - 1, argv + 1);
  if (name == "--help" || name == "-h" || name == "help") return print_help(), 0;
  if (name == "--version") return std::puts("heddle " HEDDLE_VERSION), 0;
  return unknown_command(name);
}

}  // namespace

int main(int argc, char** argv) {
  fill_standard_descriptors();
  return told(run(argc, argv));
}
