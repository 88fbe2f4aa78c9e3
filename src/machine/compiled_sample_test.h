// Compiles a small source as a shared library with ThreadSanitizer's instrumentation, for tests of
// what is read from its code. It is never run.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "machine/audit.h"
#include "machine/image.h"

namespace heddle::machine {

inline bool is_installed(const std::string& compiler) {
  return std::system(fmt::format("command -v {} >/dev/null 2>&1", compiler).c_str()) == 0;
}

class Folder {
 public:
  Folder() {
    char name[] = "/tmp/heddle-machine-XXXXXX";
    path_ = mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Answers the path of the library. The language goes by the compiler's name.
inline std::string compile(const Folder& folder, const std::string& compiler,
                           const std::string& flags, const std::string& source) {
  const bool cxx = compiler.ends_with("++");
  const std::string file = folder / (cxx ? "sample.cpp" : "sample.c");
  const std::string library = folder / "sample.so";
  write_file(file, source);
  const bool links_alone = flags.find("-no-pie") == std::string::npos;
  const std::string options = fmt::format(
      "{} -fsanitize=thread -fno-omit-frame-pointer -g -w {} {}", links_alone ? "-fPIC" : "", flags,
      compiler.starts_with("clang") ? "-mllvm -tsan-instrument-read-before-write=1" : "");
  const std::string link =  // a program finds its hooks in gcc's own library
      links_alone ? "-nostdlib -shared -Wl,-z,undefs"
                  : "-no-pie -nostartfiles -Wl,-e,0 -Wl,--unresolved-symbols=ignore-all";
  const std::string command =
      fmt::format("{0} {1} -c {2} -o {2}.o && {3} {4} {2}.o -o {5} {6}", compiler, options, file,
                  links_alone ? compiler : "gcc", link, library, links_alone ? "" : "-ltsan");
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return library;
}

struct Stretch {
  std::uint64_t begin = 0, end = 0;
};

inline Stretch function_in(const std::string& library, const std::string& name) {
  const Result<Image> image = Image::open(library);
  if (image.ok())
    for (const CodeSymbol& symbol : image->symbols())
      if (symbol.name == name) return {symbol.address, symbol.address + symbol.size};
  ADD_FAILURE() << "no function " << name;
  return {};
}

inline std::vector<Site> sites_in(const std::string& library, const std::string& name) {
  const Stretch where = function_in(library, name);
  const Result<Audit> found = audit(library);
  EXPECT_TRUE(found.ok());
  std::vector<Site> sites;
  if (found.ok())
    for (const Site& site : found->sites)
      if (site.address >= where.begin && site.address < where.end) sites.push_back(site);
  return sites;
}

}  // namespace heddle::machine
