// What the drivers make of a command line. The same with real compilers: tests/driver/.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "cli/driver.h"
#include "cli/driver_arguments.h"

namespace heddle {
namespace {

using Words = std::vector<std::string>;

const Kit kKit{"/kit/libheddle_rt.a", "/kit/heddle_rt.syms", "/kit/gcc.specs", "/kit/include", "/kit/libheddle_cxx.a"};
const Compiler kGcc{{"gcc"}, CompilerFamily::Gcc};
const Compiler kClang{{"ccache", "clang"}, CompilerFamily::Clang};

Words planned(const Compiler& compiler, const Words& words) {
  Result<Words> command = plan_command(compiler, kKit, words);
  EXPECT_TRUE(command.ok());
  return command.ok() ? *command : Words{};
}

bool has(const Words& words, const std::string& word) { return std::find(words.begin(), words.end(), word) != words.end(); }

bool adds_runtime(const Words& words) { return has(planned(kGcc, words), kKit.runtime); }

TEST(ParseArguments, ValuesOfOptionsAreNotInputs) {
  for (const char* option : {"-o", "-I", "-D", "-MF", "-isystem", "-Xlinker", "--param", "-include", "-x", "-target"})
    EXPECT_FALSE(parse_arguments({option, "a.c"}).has_input) << option;
  EXPECT_TRUE(parse_arguments({"-o", "a.o", "a.c"}).has_input);
}

TEST(ParseArguments, TellsCodeFromObjects) {
  EXPECT_TRUE(parse_arguments({"a.cpp"}).compiles);
  EXPECT_FALSE(parse_arguments({"a.o", "libb.a", "libc.so.1", "d.s", "e.S", "-lf"}).compiles);
  EXPECT_TRUE(parse_arguments({"-x", "c", "a.o"}).compiles);
  EXPECT_FALSE(parse_arguments({"-x", "assembler", "a.c"}).compiles);
  EXPECT_FALSE(parse_arguments({"-x", "c", "-x", "none", "a.o"}).compiles);
  EXPECT_TRUE(parse_arguments({"-"}).compiles);
}

TEST(ParseArguments, LinksUnlessToldOtherwise) {
  EXPECT_TRUE(parse_arguments({"a.o"}).links);
  EXPECT_TRUE(parse_arguments({"-MD", "-MMD", "a.c"}).links);
  for (const char* stop : {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"}) EXPECT_FALSE(parse_arguments({"a.c", stop}).links) << stop;
  EXPECT_FALSE(parse_arguments({"a.h"}).links);
  EXPECT_FALSE(parse_arguments({"-x", "c++-header", "a"}).links);
  EXPECT_FALSE(parse_arguments({"-v"}).links);
}

TEST(ParseArguments, FindsUndefinedSymbolRulesInEveryForm) {
  for (const Words& form : {Words{"-Wl,-z,defs"}, Words{"-Wl,-zdefs"}, Words{"-z", "defs"}, Words{"-zdefs"}, Words{"-Wl,-z", "-Wl,defs"},
                            Words{"-Xlinker", "-z", "-Xlinker", "defs"}, Words{"-Wl,--no-undefined"}})
    EXPECT_TRUE(parse_arguments(form).forbids_undefined) << form.front();
  EXPECT_FALSE(parse_arguments({"-Wl,-z,now"}).forbids_undefined);
}

TEST(ParseArguments, LastWordOnThreadSanitizerWins) {
  EXPECT_FALSE(parse_arguments({"-fno-sanitize=thread"}).instrument);
  EXPECT_TRUE(parse_arguments({"-fno-sanitize=thread", "-fsanitize=thread"}).instrument);
  EXPECT_EQ(parse_arguments({"-fsanitize=thread,undefined"}).words, Words{"-fsanitize=undefined"});
}

TEST(SplitResponseFile, FollowsGccsQuoting) {
  EXPECT_EQ(split_response_file("a  'b c'\n\"d \\\" e\" f\\ g '' -DX=\"y z\""), (Words{"a", "b c", "d \" e", "f g", "", "-DX=y z"}));
  EXPECT_EQ(split_response_file(" \n"), Words{});
}

class ResponseFile : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/heddle-words-XXXXXX";
    const int descriptor = mkstemp(name);
    ASSERT_GE(descriptor, 0);
    close(descriptor);
    path_ = name;
  }
  void TearDown() override { unlink(path_.c_str()); }
  std::string holding(const std::string& text) {
    std::ofstream(path_) << text;
    return "@" + path_;
  }
  std::string path_;
};

TEST_F(ResponseFile, IsReadButHandedOnAsItIs) {
  const std::string word = holding("-c a.c");
  const Arguments arguments = parse_arguments({word});
  EXPECT_TRUE(arguments.compiles);
  EXPECT_FALSE(arguments.links);
  EXPECT_EQ(arguments.words, Words{word});
}

TEST_F(ResponseFile, IsOpenedUpWhenSomethingInItMustGo) {
  EXPECT_EQ(parse_arguments({holding("a.o -fsanitize=thread b.o")}).words, (Words{"a.o", "b.o"}));
}

TEST_F(ResponseFile, ThatNamesItselfEnds) {
  holding("a.o @" + path_);
  EXPECT_TRUE(parse_arguments({"@" + path_}).has_input);
}

TEST(PlanCommand, QuestionsAreLeftAlone) {
  for (const Words& words : {Words{"--version"}, Words{"-dumpversion"}, Words{"-print-file-name=x"}, Words{"-v"}, Words{}}) {
    Words expected{"gcc"};
    expected.insert(expected.end(), words.begin(), words.end());
    EXPECT_EQ(planned(kGcc, words), expected);
  }
}

TEST(PlanCommand, GccIsToldBySpecsAndClangByItsFrontend) {
  const Words gcc = planned(kGcc, {"-c", "a.c"});
  EXPECT_TRUE(has(gcc, "-specs=/kit/gcc.specs"));
  EXPECT_FALSE(has(gcc, "-fsanitize=thread"));
  const Words clang = planned(kClang, {"-c", "a.c"});
  const auto option = std::find(clang.begin(), clang.end(), "-fsanitize=thread");
  ASSERT_NE(option, clang.end());
  EXPECT_EQ(*(option - 1), "-Xclang");
  EXPECT_TRUE(has(clang, "-tsan-instrument-read-before-write=1"));
}

TEST(PlanCommand, NoCodeThatTheInstrumentationLeavesOut) {
  EXPECT_TRUE(has(planned(kGcc, {"-c", "a.c"}), "-mstringop-strategy=libcall"));
  EXPECT_FALSE(has(planned(kGcc, {"-c", "a.c", "-fno-sanitize=thread"}), "-mstringop-strategy=libcall"));
  EXPECT_TRUE(has(planned(kClang, {"-c", "a.c"}), "-mprefer-vector-width=128"));
  EXPECT_FALSE(has(planned(kClang, {"-c", "a.c", "-fno-sanitize=thread"}), "-mprefer-vector-width=128"));
}

TEST(PlanCommand, RuntimeGoesIntoProgramsOnly) {
  EXPECT_TRUE(adds_runtime({"a.o"}));
  EXPECT_TRUE(adds_runtime({"a.c", "b.c", "-o", "p"}));
  EXPECT_FALSE(adds_runtime({"-c", "a.c"}));
  EXPECT_FALSE(adds_runtime({"-shared", "a.o"}));
  EXPECT_FALSE(adds_runtime({"-r", "a.o"}));
  EXPECT_FALSE(adds_runtime({"-nostdlib", "a.o"}));
}

TEST(PlanCommand, UsersDebugLevelWinsUnlessItIsNone) {
  const Words more = planned(kGcc, {"-g3", "-c", "a.c"});
  EXPECT_LT(std::find(more.begin(), more.end(), "-g"), std::find(more.begin(), more.end(), "-g3"));
  const Words none = planned(kGcc, {"-g0", "-c", "a.c"});
  EXPECT_NE(std::find(std::find(none.begin(), none.end(), "-g0"), none.end(), "-g"), none.end());
}

TEST(PlanCommand, RefusesWhatCannotWork) {
  for (const Words& words : {Words{"-static", "a.c"}, Words{"-static-pie", "a.o"}, Words{"-fsanitize=address", "-c", "a.c"},
                             Words{"-m32", "-c", "a.c"}}) {
    Result<Words> command = plan_command(kGcc, kKit, words);
    ASSERT_FALSE(command.ok()) << words.front();
    EXPECT_EQ(command.error().code, ExitCode::Usage);
  }
  EXPECT_TRUE(plan_command(kGcc, kKit, {"-static", "-c", "a.c"}).ok());
  EXPECT_TRUE(plan_command(kGcc, kKit, {"-static-libgcc", "a.c"}).ok());
  EXPECT_TRUE(plan_command(kGcc, kKit, {"-m32", "--version"}).ok());
  EXPECT_TRUE(plan_command(kGcc, kKit, {"-m32", "-m64", "a.c"}).ok());
}

TEST(PlanCommand, LeavesCountersOut) {
  for (const char* option : {"--coverage", "-fprofile-arcs", "-fprofile-generate", "-fprofile-generate=dir",
                             "-fprofile-instr-generate", "-fcoverage-mapping"}) {
    EXPECT_FALSE(has(planned(kGcc, {option, "-c", "a.c"}), option));
    EXPECT_TRUE(has(planned(kGcc, {option, "a.o"}), "-lgcov")) << option;
  }
  EXPECT_TRUE(has(planned(kGcc, {"--coverage", "-c", "a.c"}), "-ftest-coverage"));
}

TEST(IsSourceFile, GoesByTheName) {
  for (const char* name : {"a.c", "b.cpp", "dir.x/c.cc", "d.cxx", "e.C"}) EXPECT_TRUE(is_source_file(name)) << name;
  for (const char* name : {"a", "a.o", "dir.c/prog", "trace.json"}) EXPECT_FALSE(is_source_file(name)) << name;
}

}  // namespace
}  // namespace heddle
