// Compiles a small program with each compiler and DWARF version, lets it print its own addresses, and asks about them.
#include "report/symbolizer.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "report/function_name.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSource = R"(#include <cstdio>
#include <mutex>
#include <atomic>
struct Account { int id; int balance[2]; std::mutex lock; std::atomic<int> uses; };
namespace bank { Account first; Account book[3]; }
extern char __executable_start;
static long at(const void* p) { return (const char*)p - (IS_PIE ? &__executable_start : (char*)0); }
static int hidden;
__attribute__((noinline)) void probe(const char* name) { std::printf("%s %ld\n", name, at(__builtin_return_address(0)) - 1); }
inline __attribute__((always_inline)) void inner() {
  probe("inner");                 // line 11
  hidden++;
}
__attribute__((noinline)) void outer(int) {
  inner();                        // line 15
  hidden++;
}
int main() {
  static int count;
  outer(count);                   // line 20
  auto twice = [](int n) { probe("lambda"); hidden += n; };  // line 21
  twice(2);
  std::printf("id %ld\n", at(&bank::first.id));
  std::printf("balance %ld\n", at(&bank::first.balance[1]));
  std::printf("lock %ld\n", at(&bank::first.lock));
  std::printf("uses %ld\n", at(&bank::book[2].uses));
  std::printf("hidden %ld\n", at(&hidden));
  std::printf("count %ld\n", at(&count));
  return hidden == 0;
}
)";

struct Build {
  const char* compiler;
  const char* flags;
  bool pie;
};

std::ostream& operator<<(std::ostream& out, const Build& b) { return out << b.compiler << " " << b.flags << (b.pie ? " pie" : ""); }

class SymbolizerTest : public testing::TestWithParam<Build> {
 protected:
  SymbolizerTest() {
    std::string name = (fs::temp_directory_path() / "heddle-symbols-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~SymbolizerTest() override { fs::remove_all(folder_); }

  // Runs the built program: what it prints are names and file addresses.
  bool build(const Build& how) {
    std::ofstream(folder_ / "bank.cpp") << kSource;
    const std::string command = fmt::format("cd '{0}' && {1} -std=c++17 {2} {3} -DIS_PIE={4} bank.cpp -o bank && ./bank > out", folder_.string(),
                                            how.compiler, how.flags, how.pie ? "-fPIE -pie" : "-fno-pie -no-pie", how.pie ? 1 : 0);
    if (std::system(command.c_str()) != 0) return false;
    std::ifstream out(folder_ / "out");
    std::string name;
    for (std::uint64_t address = 0; out >> name >> address;) at_[name] = wire::make_address(wire::Region::Module, 0, address);
    return true;
  }
  std::string binary() const { return (folder_ / "bank").string(); }

  fs::path folder_;
  std::map<std::string, Address> at_;
};

bool is_installed(const char* compiler) { return std::system(fmt::format("command -v {} >/dev/null", compiler).c_str()) == 0; }

TEST_P(SymbolizerTest, NamesLinesFunctionsAndVariables) {
  if (!is_installed(GetParam().compiler)) GTEST_SKIP() << GetParam().compiler << " is not installed";
  ASSERT_TRUE(build(GetParam()));
  Symbolizer symbols({binary()});

  const std::vector<SourceFrame> frames = symbols.code(at_.at("inner"));
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].function, "inner");
  EXPECT_EQ(frames[0].line, 11);
  EXPECT_TRUE(frames[0].inlined);
  EXPECT_EQ(frames[1].function, "outer");
  EXPECT_EQ(frames[1].line, 15);
  EXPECT_FALSE(frames[1].inlined);
  EXPECT_EQ(frames[1].file, (fs::canonical(folder_) / "bank.cpp").string());
  EXPECT_EQ(symbols.code(at_.at("lambda"))[0].line, 21);

  EXPECT_EQ(symbols.data(at_.at("id")), "bank::first.id");
  EXPECT_EQ(symbols.data(at_.at("balance")), "bank::first.balance[1]");
  EXPECT_EQ(symbols.data(at_.at("lock")), "bank::first.lock");
  EXPECT_EQ(symbols.data(at_.at("uses")), "bank::book[2].uses");
  EXPECT_EQ(symbols.data(at_.at("hidden")), "hidden");
  EXPECT_EQ(symbols.data(at_.at("count")), "main::count");
}

INSTANTIATE_TEST_SUITE_P(Compilers, SymbolizerTest,
                         testing::Values(Build{"g++", "-g -O0", true}, Build{"g++", "-gdwarf-4 -O1", false},
                                         Build{"g++", "-gdwarf-5 -O2", true}, Build{"clang++", "-g -O0", true},
                                         Build{"clang++", "-gdwarf-4 -O1", true}, Build{"clang++", "-gdwarf-5 -O0", false}));

class WithoutDebugInformation : public SymbolizerTest {};

TEST_P(WithoutDebugInformation, SymbolsAreEnough) {
  ASSERT_TRUE(build(GetParam()));
  Symbolizer symbols({binary()});
  const SourceFrame frame = symbols.code(at_.at("inner")).at(0);
  EXPECT_EQ(frame.function, "outer");
  EXPECT_EQ(frame.file, "");
  EXPECT_TRUE(frame.fallback.starts_with("bank+0x")) << frame.fallback;
  EXPECT_EQ(symbols.data(at_.at("id")), "bank::first");
  EXPECT_EQ(symbols.data(at_.at("balance")), "bank::first+8");
}

INSTANTIATE_TEST_SUITE_P(Gcc, WithoutDebugInformation, testing::Values(Build{"g++", "-O1", true}));

TEST(Symbolizer, UnknownModulesAndRegionsHaveNames) {
  Symbolizer symbols({"/nonexistent/program"});
  EXPECT_EQ(symbols.code(wire::make_address(wire::Region::Module, 0, 0x10))[0].function, "?");
  EXPECT_EQ(symbols.code(wire::make_address(wire::Region::Module, 9, 0x10)).size(), 1u);
  EXPECT_EQ(symbols.code(0).size(), 1u);
  EXPECT_NE(symbols.data(wire::make_address(wire::Region::Heap, 2, 0x40)).find("heap block of thread 2"), std::string::npos);
  EXPECT_NE(symbols.data(wire::make_address(wire::Region::Stack, 1, 0x40)).find("stack of thread 1"), std::string::npos);
}

TEST(FunctionName, IsWhatPeopleSay) {
  EXPECT_EQ(shorten_name("bank::transfer(bank::Account&, int)"), "bank::transfer");
  EXPECT_EQ(shorten_name("main::{lambda(int)#1}::operator()(int) const"), "main::lambda#1");
  EXPECT_EQ(shorten_name("void run<int>(int)"), "run<int>");
  EXPECT_EQ(shorten_name("(anonymous namespace)::worker(void*)"), "(anonymous namespace)::worker");
  EXPECT_EQ(shorten_name("Box::operator<(Box const&) const"), "Box::operator<");
  EXPECT_EQ(shorten_name("std::map<std::string, std::vector<int> >::find(std::string const&)"), "std::map<...>::find");
  EXPECT_EQ(readable_name("main"), "main");
  EXPECT_EQ(readable_name("_Z3addii"), "add");
}

}  // namespace
}  // namespace heddle
