#include "cli/driver_kit.h"

#include <unistd.h>

#include <climits>
#include <initializer_list>

namespace heddle {
namespace {

std::string directory_of_executable() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  std::string executable(path, length > 0 ? static_cast<size_t>(length) : 0);
  return executable.substr(0, executable.rfind('/'));
}

std::string first_existing(std::initializer_list<std::string> candidates) {
  for (const std::string& path : candidates)
    if (access(path.c_str(), R_OK) == 0) return path;
  return "";
}

}  // namespace

Result<Kit> find_kit() {
  const std::string here = directory_of_executable();
  const std::string build = here + "/src/runtime/";      // build/<preset>/heddle
  const std::string cxx = here + "/src/libstdcxx/";
  const std::string install = here + "/../lib/heddle/";  // PREFIX/bin/heddle
  Kit kit;
  kit.runtime = first_existing({build + "libheddle_rt.a", install + "libheddle_rt.a"});
  kit.symbols = first_existing({build + "heddle_rt.syms", install + "heddle_rt.syms"});
  kit.gcc_specs = first_existing({here + "/gcc.specs", install + "gcc.specs"});
  kit.include_dir = first_existing({here + "/include", install + "include"});
  kit.cxx_library = first_existing({cxx + "libheddle_cxx.a", install + "libheddle_cxx.a"});
  if (kit.runtime.empty() || kit.symbols.empty() || kit.gcc_specs.empty() || kit.include_dir.empty())
    return Error{"the runtime library (libheddle_rt.a and its companions) is missing near " + here,
                 "build again with 'make', or 'make install' to repair an installation"};
  return kit;
}

}  // namespace heddle
