// `heddle`: hands over to a subcommand. Each is one file; see command.h.
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

// Levenshtein: how many letters to insert, delete or replace.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replace, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

int unknown_command(std::string_view name) {
  const auto nearest = std::min_element(kCommands.begin(), kCommands.end(), [&](const Command& a, const Command& b) {
    return edit_distance(name, a.name) < edit_distance(name, b.name);
  });
  const bool close = edit_distance(name, nearest->name) <= 2;
  const std::string hint = close ? "did you mean '" + std::string(nearest->name) + "'?" : "see 'heddle --help'";
  std::fprintf(stderr, "heddle: there is no command '%.*s'; %s\n", static_cast<int>(name.size()), name.data(), hint.c_str());
  return static_cast<int>(heddle::ExitCode::Usage);
}

}  // namespace

int main(int argc, char** argv) {
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
