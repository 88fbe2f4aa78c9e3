// `heddle check foo.cpp`: compile a source on the fly and keep the program in the user's cache.
//
// A cached program is named after everything that was said on its command line; it is fresh while no file that it was made
// from is newer than the moment its compilation began. That moment is stored as the program's own modification time, so
// that a header saved while the compiler runs is noticed too.
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/driver.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr auto kCSuffixes = std::to_array<std::string_view>({".c", ".i"});
constexpr auto kCxxSuffixes = std::to_array<std::string_view>({".cpp", ".cc", ".cxx", ".c++", ".C", ".cp", ".ii"});

bool has_suffix(const std::string& path, const auto& suffixes) {
  const std::string suffix = fs::path(path).extension();
  for (std::string_view each : suffixes)
    if (suffix == each) return true;
  return false;
}

// REQUIRES a name that starts with a directory of the user's own.
bool make_private_directory(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  mkdir(path.c_str(), 0700);
  struct stat status;
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
         access(path.c_str(), W_OK) == 0;
}

std::vector<fs::path> cache_candidates() {
  std::vector<fs::path> candidates;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && cache[0] == '/') candidates.push_back(fs::path(cache) / "heddle");
  if (const char* home = std::getenv("HOME"); home && home[0] == '/') candidates.push_back(fs::path(home) / ".cache/heddle");
  const char* temporary = std::getenv("TMPDIR");
  candidates.push_back(fs::path(temporary && temporary[0] ? temporary : "/tmp") / fmt::format("heddle-{}", geteuid()));
  return candidates;
}

Result<fs::path> cache_directory() {
  std::vector<fs::path> candidates = cache_candidates();
  for (const fs::path& path : candidates)
    if (make_private_directory(path)) return path;
  return Error{fmt::format("no directory to keep the compiled program in: {} cannot be written", candidates.front().string()),
               "set XDG_CACHE_HOME to a directory of yours"};
}

// One place in the cache: <stem>-<hash of the command>, and its list of ingredients as the compiler wrote it (-MF).
struct Slot {
  fs::path program;
  fs::path ingredients() const { return program.string() + ".d"; }
  fs::path scratch() const { return fmt::format("{}.{}.tmp", program.string(), getpid()); }
};

Slot slot_for(const fs::path& cache, const fs::path& source, const Words& command) {
  std::string all = fs::current_path().string();
  for (const std::string& word : command) (all += '\0') += word;
  return {cache / fmt::format("{}-{:016x}", source.stem().string(), XXH3_64bits(all.data(), all.size()))};
}

// The prerequisites of a make rule: words separated by white space, "\ " a space in a name, "\<newline>" nothing.
Words prerequisites(const std::string& rule) {
  Words words;
  std::string word;
  auto end_word = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, ""));
  };
  std::size_t start = rule.find(": ");
  for (std::size_t i = start == std::string::npos ? rule.size() : start + 2; i < rule.size(); ++i) {
    if (rule[i] == '\\' && i + 1 < rule.size() && rule[i + 1] != '\n') word += rule[++i];
    else if (rule[i] == '$' && i + 1 < rule.size() && rule[i + 1] == '$') word += rule[++i];
    else if (rule[i] == '\\' || std::isspace(static_cast<unsigned char>(rule[i]))) end_word();
    else word += rule[i];
  }
  end_word();
  return words;
}

bool is_fresh(const Slot& slot, const Kit& kit) {
  std::error_code error;
  const fs::file_time_type made = fs::last_write_time(slot.program, error);
  if (error) return false;
  std::ifstream file(slot.ingredients());
  std::stringstream rule;
  rule << file.rdbuf();
  Words files = prerequisites(rule.str());
  if (files.empty()) return false;
  for (const std::string& extra : {kit.runtime, kit.symbols, kit.gcc_specs, kit.cxx_library}) files.push_back(extra);
  for (const std::string& name : files) {
    const fs::file_time_type changed = fs::last_write_time(name, error);
    if (error || changed >= made) return false;
  }
  return true;
}

Result<int> run_and_wait(Words command) {
  std::vector<char*> pointers;
  for (std::string& word : command) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  // The compiler may talk, but stdout belongs to the verdict.
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure) return Error{fmt::format("cannot start {}: {}", command[0], std::strerror(failure)), ""};
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return Error{fmt::format("lost track of {}: {}", command[0], std::strerror(errno)), ""};
  return status;
}

Status compile_into(const Slot& slot, Words command, const std::string& source) {
  const fs::path scratch = slot.scratch();
  for (const std::string& word : {std::string("-o"), scratch.string(), std::string("-MD"), std::string("-MF"), slot.ingredients().string()})
    command.push_back(word);
  const auto begin = fs::file_time_type::clock::now();
  Result<int> status = run_and_wait(std::move(command));
  std::error_code error;
  if (status && *status == 0) {
    fs::last_write_time(scratch, begin, error);
    fs::rename(scratch, slot.program, error);
    if (!error) return Nothing{};
    status = Error{fmt::format("cannot write {}: {}", slot.program.string(), error.message()), ""};
  }
  fs::remove(scratch, error);
  if (!status) return status.error();
  return Error{fmt::format("{} does not compile; the compiler's messages are above", source),
               "more compiler flags go into --cflags \"…\"; another compiler into HEDDLE_CC or HEDDLE_CXX"};
}

}  // namespace

bool is_source_file(const std::string& path) { return has_suffix(path, kCSuffixes) || has_suffix(path, kCxxSuffixes); }

Result<std::string> compile_for_check(const std::string& source, const Words& extra_flags) {
  if (access(source.c_str(), R_OK) != 0)
    return Error{fmt::format("cannot read {}: {}", source, std::strerror(errno)), "name a .c or .cpp file, or a program built with heddle cc"};
  const Language language = has_suffix(source, kCSuffixes) ? Language::C : Language::Cxx;
  Result<Compiler> compiler = find_compiler(language);
  if (!compiler) return compiler.error();
  Result<Kit> kit = find_kit();
  if (!kit) return kit.error();
  Result<fs::path> cache = cache_directory();
  if (!cache) return cache.error();

  Words words{language == Language::C ? "-std=gnu17" : "-std=gnu++20", "-O1", "-g"};
  words.push_back(fs::absolute(source));
  words.insert(words.end(), extra_flags.begin(), extra_flags.end());
  Result<Words> command = plan_command(*compiler, *kit, words);
  if (!command) return command.error();

  const Slot slot = slot_for(*cache, source, *command);
  if (!is_fresh(slot, *kit))
    if (Status status = compile_into(slot, *command, source); !status) return status.error();
  return slot.program.string();
}

}  // namespace heddle
