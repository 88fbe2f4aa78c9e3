#include "cli/trace_options.h"

#include <fmt/format.h>

#include "cli/command.h"

namespace heddle {

void add_trace_options(CLI::App& app, std::string& trace, bool& no_colour) {
  app.add_option("TRACE", trace, "a .trace file that heddle check has written")->required();
  app.add_flag("--no-color", no_colour, "no colours (they are off anyway without a terminal, or with NO_COLOR set)");
}

std::optional<int> parse_or_exit(CLI::App& app, int argc, char** argv, const char* command) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    return print_error({fmt::format("{}: {}", command, error.what()), fmt::format("run `heddle {} --help` for its options", command)});
  }
  return std::nullopt;
}

}  // namespace heddle
