#include "machine/imports.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace heddle::machine {
namespace {

TEST(LibraryRows, AreFoundByNameAndByPattern) {
  ASSERT_NE(c_library_row("strtol"), nullptr);
  EXPECT_EQ(c_library_row("strtol")->kind, RowKind::Watched);
  EXPECT_EQ(c_library_row("malloc")->kind, RowKind::Own);
  EXPECT_EQ(c_library_row("sin")->kind, RowKind::Pure);
  EXPECT_EQ(c_library_row("stdout")->kind, RowKind::Data);
  EXPECT_EQ(c_library_row("argz_add")->kind, RowKind::Unmodelled);
  ASSERT_NE(c_library_row("_IO_anything"), nullptr);
  EXPECT_EQ(c_library_row("_IO_anything")->kind, RowKind::Unmodelled);
  EXPECT_EQ(c_library_row("_IO_putc")->kind, RowKind::State) << "a name goes before a pattern";
  EXPECT_EQ(c_library_row("deflate"), nullptr);
  EXPECT_EQ(c_library_row("strto"), nullptr);
}

class Imports : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "/imports-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // A shared library of this source; its path.
  std::string library(const std::string& name, const std::string& source) {
    const std::string text = folder_ + "/" + name + ".c", out = folder_ + "/lib" + name + ".so";
    std::ofstream(text) << source;
    const std::string command = "cc -shared -fPIC -w -fno-builtin " + text + " -o " + out;
    EXPECT_EQ(std::system(command.c_str()), 0);
    return out;
  }

  static std::vector<std::string> functions(const std::vector<ForeignCall>& calls) {
    std::vector<std::string> names;
    for (const ForeignCall& call : calls) names.push_back(call.function + "@" + call.library);
    std::sort(names.begin(), names.end());
    return names;
  }

  std::string folder_;
};

TEST_F(Imports, AreCallsOfFunctionsInLibrariesWithoutInstrumentation) {
  const std::string user =
      library("user",
              "int squeeze(int); int pack(int); extern int level; int own(void) { return 1; }\n"
              "int use(void) { return squeeze(level) + pack(1) + own(); }");
  const std::string plain = library(
      "plain", "int level = 3; int squeeze(int x) { return x; } int pack(int x) { return x; }");
  const std::string built = library("built", "int pack(int x) { return x; }");
  const auto calls = foreign_calls({{user, true}, {built, true}, {plain, false}});
  EXPECT_EQ(functions(calls), (std::vector<std::string>{"squeeze@libplain.so"}))
      << "pack is found in the instrumented one first";
  EXPECT_EQ(calls.at(0).caller, "libuser.so");
  EXPECT_FALSE(calls.at(0).standard);
  EXPECT_FALSE(calls.at(0).is_covered());
}

TEST_F(Imports, OfLibrariesWithoutInstrumentationAreTheirOwnAffair) {
  const std::string user =
      library("user", "int squeeze(int); int use(void) { return squeeze(1); }");
  const std::string plain = library("plain", "int squeeze(int x) { return x; }");
  EXPECT_TRUE(foreign_calls({{user, false}, {plain, false}}).empty());
}

TEST_F(Imports, WithoutARowAreNotCovered) {
  // A library that passes for the C library, with a function that the real one does not have.
  const std::string user = library(
      "user",
      "void* mempcpy(); int brand_new(); int use(void) { mempcpy(0, 0, 0); return brand_new(); }");
  const std::string libc = folder_ + "/libc.so.6";
  std::filesystem::rename(
      library("c", "int brand_new() { return 1; } void* mempcpy() { return 0; }"), libc);
  const auto calls = foreign_calls({{user, true}, {libc, false}});
  ASSERT_EQ(functions(calls),
            (std::vector<std::string>{"brand_new@libc.so.6", "mempcpy@libc.so.6"}));
  for (const ForeignCall& call : calls)
    EXPECT_EQ(call.is_covered(), call.function == "mempcpy") << call.function;
}

TEST_F(Imports, OfFilesThatCannotBeReadAreNone) {
  EXPECT_TRUE(foreign_calls({{folder_ + "/nothing", true}, {"", false}}).empty());
}

}  // namespace
}  // namespace heddle::machine
