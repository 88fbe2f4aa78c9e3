// The command line of the commands that take a recorded finding: `heddle replay` and `heddle report`.
//
// A thin front of CLI11, which takes longer to compile than all the rest of these commands: one file includes it for both.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

class TraceOptions {
 public:
  // `command` is as the user calls it. The trace's file and the switch for colours are what such commands have in common.
  TraceOptions(const char* command, const char* about, const char* exit_codes, std::string& trace, bool& no_colour);
  ~TraceOptions();

  void add_flag(const char* names, bool& value, const char* help);
  void add_option(const char* names, std::string& value, const char* help);
  void add_flag_of(const char* names, std::string& value, std::vector<std::string> allowed, const char* help);  // "--flag{default}"
  void add_rest(const char* name, std::vector<std::string>& values, const char* help);

  // An exit code where the command line has been dealt with: help was asked for, or it is wrong.
  std::optional<int> parse_or_exit(int argc, char** argv);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace heddle
