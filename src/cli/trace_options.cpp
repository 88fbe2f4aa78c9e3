#include "cli/trace_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/command.h"

namespace heddle {

struct TraceOptions::Parser {
  Parser(const char* name, const char* about) : command(name), app(about, fmt::format("heddle {}", name)) {}
  std::string command;
  CLI::App app;
};

TraceOptions::TraceOptions(const char* command, const char* about, const char* exit_codes, std::string& trace, bool& no_colour)
    : parser_(std::make_unique<Parser>(command, about)) {
  CLI::App& app = parser_->app;
  app.add_option("TRACE", trace, "a .trace file that heddle check has written")->required();
  app.add_flag("--no-color", no_colour, "no colours (they are off anyway without a terminal, or with NO_COLOR set)");
  app.footer(exit_codes);
}

TraceOptions::~TraceOptions() = default;

void TraceOptions::add_flag(const char* names, bool& value, const char* help) { parser_->app.add_flag(names, value, help); }

void TraceOptions::add_option(const char* names, std::string& value, const char* help) { parser_->app.add_option(names, value, help); }

void TraceOptions::add_flag_of(const char* names, std::string& value, std::vector<std::string> allowed, const char* help) {
  parser_->app.add_flag(names, value, help)->check(CLI::IsMember(std::move(allowed)));
}

void TraceOptions::add_rest(const char* name, std::vector<std::string>& values, const char* help) {
  parser_->app.add_option(name, values, help);
}

std::optional<int> TraceOptions::parse_or_exit(int argc, char** argv) {
  const auto& [command, app] = *parser_;
  try {
    parser_->app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    return print_error({fmt::format("{}: {}", command, error.what()), fmt::format("run `heddle {} --help` for its options", command)});
  }
  return std::nullopt;
}

}  // namespace heddle
