#include "cli/driver_compiler.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>

namespace heddle {
namespace {

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::optional<CompilerFamily> family_by_name(std::string_view name) {
  if (contains(name, "clang")) return CompilerFamily::Clang;
  if (contains(name, "gcc") || contains(name, "g++")) return CompilerFamily::Gcc;
  return std::nullopt;
}

// `cc` is usually a chain of links that ends in a name that tells: /etc/alternatives/cc → gcc → x86_64-linux-gnu-gcc-12.
std::optional<CompilerFamily> family_by_link(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  if (!real) return std::nullopt;
  std::optional<CompilerFamily> family = family_by_name(base_name(real));
  std::free(real);
  return family;
}

std::string shell_quoted(const std::string& word) {
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

CompilerFamily family_by_asking(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) line += shell_quoted(word) + ' ';
  FILE* answer = popen((line + "--version 2>/dev/null </dev/null").c_str(), "r");
  if (!answer) return CompilerFamily::Gcc;
  std::string text;
  char buffer[512];
  while (std::fgets(buffer, sizeof buffer, answer)) text += buffer;
  pclose(answer);
  return contains(text, "clang") ? CompilerFamily::Clang : CompilerFamily::Gcc;
}

bool is_launcher(std::string_view name) {
  return name == "ccache" || name == "sccache" || name == "distcc" || name == "icecc" || name == "env" ||
         contains(name, "=");
}

// The word of the command that names the compiler: the first that is neither a launcher nor one of its settings.
const std::string& compiler_word(const std::vector<std::string>& command) {
  for (const std::string& word : command)
    if (!is_launcher(base_name(word))) return word;
  return command.back();
}

std::vector<std::string> split_words(const char* text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

bool is_runnable(const std::string& path) { return access(path.c_str(), X_OK) == 0; }

}  // namespace

std::string find_in_path(const std::string& program) {
  if (contains(program, "/")) return is_runnable(program) ? program : "";
  const char* variable = std::getenv("PATH");
  std::istringstream directories(variable ? variable : "/usr/local/bin:/usr/bin:/bin");
  for (std::string directory; std::getline(directories, directory, ':');) {
    std::string candidate = (directory.empty() ? "." : directory) + "/" + program;
    if (is_runnable(candidate)) return candidate;
  }
  return "";
}

Result<Compiler> find_compiler(Language language) {
  const char* variable = language == Language::C ? "HEDDLE_CC" : "HEDDLE_CXX";
  const char* wish = std::getenv(variable);
  Compiler compiler;
  if (wish) compiler.command = split_words(wish);
  if (compiler.command.empty()) compiler.command = {language == Language::C ? "gcc" : "g++"};

  const std::string& name = compiler_word(compiler.command);
  if (base_name(name).starts_with("heddle"))
    return Error{std::string(variable) + " names heddle itself", std::string("set it to the real compiler, e.g. ") +
                 variable + (language == Language::C ? "=clang" : "=clang++")};
  std::string path = find_in_path(name);
  if (path.empty())
    return Error{"the compiler '" + name + "' is not installed or not in PATH",
                 std::string("install it, or name another one in ") + variable};

  std::optional<CompilerFamily> family = family_by_name(base_name(name));
  if (!family) family = family_by_link(path);
  compiler.family = family ? *family : family_by_asking(compiler.command);
  return compiler;
}

}  // namespace heddle
