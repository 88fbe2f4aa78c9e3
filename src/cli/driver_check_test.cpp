// Compiling on the fly, with the real compiler and the runtime of this build.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/driver.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class CompileForCheck : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/heddle-check-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    directory_ = name;
    setenv("XDG_CACHE_HOME", (directory_ / "cache").c_str(), 1);
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(directory_ / name) << text;
    return directory_ / name;
  }
  static std::string compiled(const std::string& source, const std::vector<std::string>& flags = {}) {
    Result<std::string> program = compile_for_check(source, flags);
    EXPECT_TRUE(program.ok()) << program.error().what;
    return program.ok() ? *program : "";
  }
  fs::path directory_;
};

TEST_F(CompileForCheck, MakesAProgramThatRuns) {
  const std::string program = compiled(write("a.cpp", "#include <thread>\nint main() { std::jthread t([] {}); }\n"));
  EXPECT_EQ(system(program.c_str()), 0);
}

TEST_F(CompileForCheck, KeepsTheProgramUntilAnIngredientChanges) {
  write("a.h", "#define CODE 3\n");
  const std::string source = write("a.c", "#include \"a.h\"\nint main(void) { return CODE; }\n");
  const std::string first = compiled(source);
  const auto made = fs::last_write_time(first);
  EXPECT_EQ(compiled(source), first);
  EXPECT_EQ(fs::last_write_time(first), made);

  write("a.h", "#define CODE 5\n");
  EXPECT_EQ(compiled(source), first);
  EXPECT_EQ(WEXITSTATUS(system(first.c_str())), 5);
}

TEST_F(CompileForCheck, OtherFlagsMakeAnotherProgram) {
  const std::string source = write("a.c", "int main(void) { return CODE; }\n");
  const std::string one = compiled(source, {"-DCODE=1"});
  const std::string two = compiled(source, {"-DCODE=2"});
  EXPECT_NE(one, two);
  EXPECT_EQ(WEXITSTATUS(system(one.c_str())), 1);
  EXPECT_EQ(WEXITSTATUS(system(two.c_str())), 2);
}

TEST_F(CompileForCheck, FailureIsTheUsersAndLeavesNothing) {
  Result<std::string> program = compile_for_check(write("a.cpp", "int main() { return no_such_name; }\n"), {});
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.error().code, ExitCode::Usage);
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_ / "cache/heddle"))
    EXPECT_EQ(entry.path().extension(), ".d") << entry.path();
  EXPECT_FALSE(compile_for_check(directory_ / "missing.c", {}).ok());
}

}  // namespace
}  // namespace heddle
