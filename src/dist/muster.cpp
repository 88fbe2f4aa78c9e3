#include "dist/muster.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "replay/build_id.h"
#include "wire/wire.h"

namespace heddle {
namespace {

constexpr const char* kNoFile = "no file";

std::string hash_or_nothing(Result<std::string> hash) { return hash ? std::move(hash).value() : "unreadable"; }

bool is_file(const std::string& path) {
  struct stat facts {};
  return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  return std::filesystem::equivalent(a, b, none);
}

bool has(const Muster& m, const Ingredient& i) {
  return std::any_of(m.ingredients.begin(), m.ingredients.end(), [&](const Ingredient& j) { return j.name == i.name && j.hash == i.hash; });
}

bool has_another(const Muster& m, const Ingredient& i) {
  return std::any_of(m.ingredients.begin(), m.ingredients.end(), [&](const Ingredient& j) { return j.name == i.name && j.hash != kNoFile; });
}

std::string host_name() {
  char name[256] = "?";
  gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace

// An argument may name a file in one place and nothing in another: that is a difference too. Libraries may lie in other places on other machines.
Muster muster(const std::vector<std::string>& words, const ProcessOptions& options, const ProcessProgram& program) {
  Muster m{host_name(), words, {}, {}};
  m.ingredients.push_back({"heddle", hash_or_nothing(build_id("/proc/self/exe"))});
  m.ingredients.push_back({options.path, hash_or_nothing(file_hash(options.path))});
  for (const std::string& argument : options.arguments)
    m.ingredients.push_back({argument, is_file(argument) ? hash_or_nothing(file_hash(argument)) : kNoFile});
  for (const wire::Module& module : program.modules())
    if (is_file(module.path) && !same_file(module.path, options.path))
      m.ingredients.push_back({std::filesystem::path(module.path).filename(), hash_or_nothing(build_id(module.path))});
  return m;
}

Muster muster(const std::vector<std::string>& words, const Error& error) { return {host_name(), words, {}, error}; }

std::optional<Error> refuse(const Muster& ours, int rank, const Muster& theirs) {
  const std::string who = fmt::format("rank {} (on {})", rank, theirs.host);
  if (ours.words != theirs.words)
    return Error{fmt::format("{} was started with another command line than rank 0", who), "give all ranks the same words"};
  if (theirs.error) return Error{fmt::format("{}: {}", who, theirs.error->what), theirs.error->next, theirs.error->code};
  for (const Ingredient& here : ours.ingredients) {  // in whatever order they were loaded there
    if (has(theirs, here)) continue;
    return Error{has_another(theirs, here) ? fmt::format("{} has another {} than rank 0", who, here.name)
                                           : fmt::format("{} does not have {}, which rank 0 has", who, here.name),
                 "put the same files on every machine"};
  }
  return std::nullopt;
}

}  // namespace heddle
