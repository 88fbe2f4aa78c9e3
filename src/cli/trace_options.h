// The options of the commands that take a recorded finding: `heddle replay` and `heddle report`.
#pragma once
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace heddle {

// `trace` and `no_colour` are what such commands have in common.
void add_trace_options(CLI::App& app, std::string& trace, bool& no_colour);

// An exit code where the command line has been dealt with: help was asked for, or it is wrong. `command` is as the user calls it.
std::optional<int> parse_or_exit(CLI::App& app, int argc, char** argv, const char* command);

}  // namespace heddle
