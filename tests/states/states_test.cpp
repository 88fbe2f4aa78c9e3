// What is a state of a real program and what is not: by small programs about one thing each (cases.cpp), and by generated programs whose script
// says what their states are (tests/twins). Every program is walked with --state=verify, which compares full states at every match.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "every_way.h"
#include "explore/reduction/reference/enumeration.h"
#include "generator.h"
#include "runtime/fingerprint.h"
#include "runtime/instruction.h"
#include "target/program_mode.h"
#include "target/scripted/scripted_program.h"
#include "twin_source.h"
#include "walk.h"

namespace heddle::states {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fmt::format("heddle-states-{}", getpid())) { fs::create_directories(path_); }
  ~Folder() { fs::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

  std::string compile(const std::string& source, const std::string& name, const std::string& compiler, const std::string& options) const {
    setenv("HEDDLE_CXX", compiler.c_str(), 1);
    const std::string command = fmt::format("{} -std=c++20 {} -Wno-unused-label {} -o {}", HEDDLE_CXX_DRIVER, options, source, file(name));
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return file(name);
  }

 private:
  fs::path path_;
};

// --- cases -----------------------------------------------------------------------------------------------------------

class Cases : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new Folder;
    program_ = folder_->compile(HEDDLE_CASES, "cases", "g++", "-O1");
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }
  static StateSpace walk_case(const std::string& name, wire::StateMode mode = wire::StateMode::Verify) {
    WalkOptions options;
    options.mode = mode;
    return walk(program_, {name}, options);
  }
  static Folder* folder_;
  static std::string program_;
};
Folder* Cases::folder_ = nullptr;
std::string Cases::program_;

TEST_F(Cases, WhatDecidesTheFutureCounts) {
  for (const char* name : {"in_register", "in_operand", "in_exchange", "in_wide_operand", "written_in_secret", "written_by_library",
                           "in_thread_local", "in_key", "where_the_next_block_is", "in_other_stack"}) {
    for (const auto mode : {wire::StateMode::Verify, wire::StateMode::Delta}) {
      const StateSpace space = walk_case(name, mode);
      EXPECT_EQ(space.error, "") << name;
      EXPECT_EQ(space.difference, "") << name;
      EXPECT_TRUE(space.complete) << name;
      EXPECT_EQ(space.failures, 1u) << name;
      EXPECT_EQ(space.ends, 1u) << name;
    }
  }
}

TEST_F(Cases, WhatDoesNotDoesNot) {
  for (const char* name : {"in_order", "freed_blocks", "printed", "slept"}) {
    const StateSpace space = walk_case(name);
    EXPECT_EQ(space.error, "") << name;
    EXPECT_EQ(space.difference, "") << name;
    EXPECT_EQ(space.ends, 1u) << name;
    EXPECT_LT(space.states, space.visits) << name;
  }
}

TEST_F(Cases, FirstLookAtAClockVoidsStates) {
  EXPECT_TRUE(walk_case("looks_at_clock").voided);
  EXPECT_FALSE(walk_case("slept").voided);
}

TEST_F(Cases, ThreadsThatGoRoundComeBackToTheirStates) {
  const StateSpace space = walk_case("goes_round");
  EXPECT_EQ(space.error, "");
  EXPECT_EQ(space.difference, "");
  EXPECT_TRUE(space.complete);
  EXPECT_EQ(space.ends, 0u);
}

TEST_F(Cases, GuardedPagesMissNothing) {
  const StateSpace space = walk_case("many_pages");
  EXPECT_EQ(space.error, "");
  EXPECT_EQ(space.difference, "");
  EXPECT_TRUE(space.complete);
  EXPECT_EQ(space.ends, 1u);
  const StateSpace exact = walk_case("many_pages", wire::StateMode::Exact);
  EXPECT_EQ(exact.states, space.states);
}

ProcessOptions options_for(const std::string& program, const std::string& name) {
  ProcessOptions options;
  options.path = program;
  options.arguments = {name};
  options.input_file = "/dev/null";
  return options;
}

std::unique_ptr<ProcessProgram> start(const ProcessOptions& options) {
  Result<std::unique_ptr<ProcessProgram>> started = ProcessProgram::start(options);
  EXPECT_TRUE(started.ok());
  return started.ok() ? std::move(*started) : nullptr;
}

std::unique_ptr<ProcessProgram> start_exact(const std::string& program, const std::string& name) {
  ProcessOptions options = options_for(program, name);
  options.wire.state = wire::StateMode::Exact;
  options.wire.visibility = wire::Visibility::All;
  return start(options);
}

std::unique_ptr<ProcessProgram> start_plain(const std::string& program, const std::string& name) {
  ProcessOptions options = options_for(program, name);
  options.may_capture_later = true;
  return start(options);
}

// Numbers the fingerprints of a process as they come up, since each process has its own.
class Numbers {
 public:
  std::vector<std::size_t> of(const Trace& trace) {
    std::vector<std::size_t> numbers;
    for (const wire::Fingerprint& f : trace.states) numbers.push_back(known_.try_emplace(key_of(f), known_.size()).first->second);
    return numbers;
  }

 private:
  std::map<Key, std::size_t> known_;
};

bool same_events(const std::vector<Event>& a, const std::vector<Event>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const Event& x, const Event& y) { return std::memcmp(&x, &y, sizeof x) == 0; });
}

// One process that changes its mode between runs does what two do that never change theirs: the same runs, the same states told apart. Runs are begun ahead
// all the time, in the mode of the run before. Seen to fail when such a run was taken up in the other mode, when pages that were hot before had no mirror, and when
// pages that had been guarded stayed so: those that only the end of the program writes to are, after many runs that are cut.
TEST_F(Cases, ModesThatTakeTurnsDoNotDisturbEachOther) {
  for (const char* name : {"in_order", "in_other_stack", "where_the_next_block_is", "freed_blocks", "in_thread_local", "many_pages"}) {
    const auto changing = start_plain(program_, name), plain = start_plain(program_, name), exact = start_exact(program_, name);
    ASSERT_TRUE(changing && plain && exact);
    ProgramMode as_plain(*changing, wire::StateMode::None, wire::Visibility::Racy), as_exact(*changing, wire::StateMode::Exact, wire::Visibility::All);
    Numbers of_changing, of_exact;
    std::vector<Choice> last;
    for (std::uint64_t i = 0; i < 420; ++i) {
      const bool is_cut = i >= 60 && i < 360;
      const bool with_states = is_cut || i % 7 < 3;
      Request request;
      request.prefix.assign(last.begin(), last.begin() + std::min<std::ptrdiff_t>(std::ssize(last), 3));
      if (i % 5 == 4) request.policy = wire::Policy::Random;
      request.seed = i;
      request.next_shares = 3;
      request.max_steps = is_cut ? 8 : 0;
      request.capture = with_states && i % 3 != 0 ? Capture::States : Capture::None;
      Program& one = with_states ? static_cast<Program&>(as_exact) : as_plain;
      const Result<Trace> trace = one.run(request), expected = (with_states ? exact : plain)->run(request);
      ASSERT_TRUE(trace.ok() && expected.ok());
      ASSERT_EQ(trace->end, expected->end) << name << ", run " << i;
      ASSERT_TRUE(same_events(trace->events, expected->events)) << name << ", run " << i;
      ASSERT_EQ(of_changing.of(*trace), of_exact.of(*expected)) << name << ", run " << i;
      last = choices_of(*trace);
    }
  }
}

// The same requests, with and without a hint of how much the next one will share, right or wrong: the same runs through the same states. Seen to fail
// when a run that was begun ahead did not capture its end.
TEST_F(Cases, WhatIsRunAheadPassesTheSameStates) {
  for (const Capture capture : {Capture::States, Capture::UntilVisited}) {
    for (const char* name : {"in_order", "in_other_stack", "where_the_next_block_is", "many_pages"}) {
      const auto ahead = start_exact(program_, name), plain = start_exact(program_, name);
      ASSERT_TRUE(ahead && plain);
      std::uint64_t draw = 1;
      auto below = [&draw](std::size_t n) { return (draw = draw * 6364136223846793005ULL + 1442695040888963407ULL) % 1000003 % (n + 1); };
      std::map<Key, std::size_t> ahead_numbers, plain_numbers;  // each process has fingerprints of its own
      auto number = [](std::map<Key, std::size_t>& known, const wire::Fingerprint& f) { return known.try_emplace(key_of(f), known.size()).first->second; };
      std::vector<Choice> last;
      std::size_t hint = 0;
      for (int i = 0; i < 100; ++i) {
        Request request;
        const std::size_t shared = below(3) == 0 ? below(last.size()) : std::min(hint, last.size());  // a quarter of the hints is wrong
        request.prefix.assign(last.begin(), last.begin() + static_cast<std::ptrdiff_t>(shared));
        request.capture = capture;
        request.capture_from = static_cast<std::uint32_t>(shared);
        hint = below(last.empty() ? 10 : last.size());
        const Result<Trace> expected = plain->run(request);
        request.next_shares = static_cast<std::uint32_t>(hint);
        const Result<Trace> trace = ahead->run(request);
        ASSERT_TRUE(expected.ok() && trace.ok());
        ASSERT_EQ(trace->end, expected->end) << name << ", run " << i;
        ASSERT_EQ(choices_of(*trace), choices_of(*expected)) << name << ", run " << i;
        ASSERT_EQ(trace->states.size(), expected->states.size()) << name << ", run " << i;
        for (std::size_t k = 0; k < trace->states.size(); ++k)
          ASSERT_EQ(number(ahead_numbers, trace->states[k]), number(plain_numbers, expected->states[k])) << name << ", run " << i << ", state " << k;
        last = choices_of(*trace);
        if (trace->end == wire::End::Revisited && below(2) == 0) {
          ahead->forget_states();
          plain->forget_states();
        }
      }
    }
  }
}

// Trap 10: a hash is not a state. With fingerprints of three bits states are taken for each other, and only their comparison shows it. Seen to fail when
// verify did not compare.
TEST_F(Cases, CollisionIsFound) {
  WalkOptions options;
  options.mode = wire::StateMode::Verify;
  options.fingerprint_bits = 3;
  EXPECT_NE(walk(program_, {"in_order"}, options).error.find("two different states have the same fingerprint"), std::string::npos);
  options.mode = wire::StateMode::Exact;
  EXPECT_EQ(walk(program_, {"in_order"}, options).error, "");
}

// --- fingerprints ----------------------------------------------------------------------------------------------------

TEST(Fingerprints, SumsForgetTheOrder) {
  rt::Print a{}, b{};
  for (std::uint64_t i = 0; i < 100; ++i) a.add(rt::print_of(i, i * i));
  for (std::uint64_t i = 100; i-- > 0;) b.add(rt::print_of(i, i * i));
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
  a.subtract(rt::print_of(7, 49));
  a.add(rt::print_of(7, 50));
  EXPECT_FALSE(a.low == b.low);
  EXPECT_FALSE(a.high == b.high);
}

// Neighbouring places with values close to each other: what programs are full of. No half may repeat.
TEST(Fingerprints, NearFactsAreFarApart) {
  std::set<std::uint64_t> low, high;
  for (std::uint64_t place = 0x555555558000; place < 0x555555558000 + 8 * 300; place += 8) {
    for (std::uint64_t value = 0; value < 300; ++value) {
      const rt::Print p = rt::print_of(place, value);
      EXPECT_TRUE(low.insert(p.low).second);
      EXPECT_TRUE(high.insert(p.high).second);
    }
  }
}

TEST(Fingerprints, LongFactsTellTheirWordsApart) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (std::uint64_t a = 0; a < 200; ++a)
    for (std::uint64_t b = 0; b < 200; ++b) {
      rt::LongFact fact(1);
      fact.word(a);
      fact.word(b << 32);
      EXPECT_TRUE(seen.insert({fact.print().low, fact.print().high}).second);
    }
}

// --- instructions ----------------------------------------------------------------------------------------------------

// The decoder behind dead registers, against objdump: lengths, and which of the registers that a callee keeps an instruction names.
class Disassembly {
 public:
  struct Line {
    std::vector<std::uint8_t> code;
    std::string text;
  };
  static std::vector<Line> of(const std::string& program) {
    std::vector<Line> lines;
    FILE* out = popen(fmt::format("objdump -d --insn-width=16 {}", program).c_str(), "r");
    char buffer[1024];
    while (out && fgets(buffer, sizeof buffer, out) != nullptr) {
      const std::string line = buffer;  // "  address:\tbytes\ttext"
      const auto first = line.find(":\t"), second = line.find('\t', first + 2);
      if (first == std::string::npos || second == std::string::npos) continue;
      Line& l = lines.emplace_back();
      for (auto at = first + 2; at + 1 < second && line[at] != ' '; at += 3)
        l.code.push_back(static_cast<std::uint8_t>(std::stoi(line.substr(at, 2), nullptr, 16)));
      l.text = line.substr(second + 1, line.find_first_of("#<\n", second) - second - 1);
    }
    if (out) pclose(out);
    return lines;
  }
};

int times_named(const std::string& text, int number) {
  static const std::map<int, std::vector<std::string>> names = {
      {3, {"%rbx", "%ebx", "%bx", "%bl", "%bh"}}, {5, {"%rbp", "%ebp", "%bp", "%bpl"}}, {12, {"%r12"}}, {13, {"%r13"}}, {14, {"%r14"}}, {15, {"%r15"}}};
  int count = 0;
  for (const std::string& name : names.at(number)) {
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      const char after = at + name.size() < text.size() ? text[at + name.size()] : ' ';
      count += number >= 12 || std::isalnum(static_cast<unsigned char>(after)) == 0;
    }
  }
  return count;
}

TEST(Instructions, AreReadAsTheDisassemblerReadsThem) {
  std::size_t known = 0, writes = 0;
  const std::vector<Disassembly::Line> lines = Disassembly::of(fs::read_symlink("/proc/self/exe").string());
  ASSERT_GT(lines.size(), 10'000u);
  for (Disassembly::Line line : lines) {
    const std::size_t length = line.code.size();
    line.code.resize(32);
    const rt::Instruction i = rt::InstructionDecoder::decode(reinterpret_cast<std::uint64_t>(line.code.data()));
    if (i.flow == rt::Flow::Unknown) continue;
    ++known;
    SCOPED_TRACE(line.text);
    EXPECT_EQ(i.length, length);
    if (line.text.rfind("leave", 0) == 0) continue;  // names no register
    for (const int number : {3, 5, 12, 13, 14, 15}) {
      const bool reads = (i.reads >> number & 1) != 0, overwrites = (i.writes >> number & 1) != 0;
      const int named = times_named(line.text, number);
      EXPECT_EQ(reads || overwrites, named > 0);
      if (reads || !overwrites) continue;
      ++writes;  // and nothing else: it must be where the result goes, and only there
      const bool is_xor = line.text.rfind("xor", 0) == 0;
      EXPECT_EQ(named, is_xor ? 2 : 1);
      const std::string mnemonic = line.text.substr(0, line.text.find(' '));
      const std::set<std::string> plain = {"mov", "movl", "movq", "movabs", "movslq", "movsbl", "movswl", "movsbq", "movswq", "movzbl", "movzwl", "lea",
                                           "pop", "imul", "xor", "cltq"};
      EXPECT_TRUE(plain.contains(mnemonic)) << mnemonic;
      const auto last = line.text.find_last_of(',');
      EXPECT_GT(times_named(last == std::string::npos ? line.text : line.text.substr(last), number), 0);
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(known, lines.size() * 9 / 10);
  EXPECT_GT(writes, 100u);
}

// --- twins -----------------------------------------------------------------------------------------------------------

constexpr std::uint64_t kInterleavings = 1500;

std::vector<scripted::Script> choose_scripts(std::size_t count, bool (*is_wanted)(const scripted::Script&)) {
  std::vector<scripted::Script> chosen;
  for (std::uint64_t seed = 1; chosen.size() < count; ++seed) {
    scripted::Script script = generated::generate(seed);
    if (!twins::has_twin(script) || twins::spins(script) || twins::exits(script) || !is_wanted(script)) continue;
    scripted::ScriptedProgram program(script);
    const auto all = reference::enumerate(program, kInterleavings);
    if (all && all->traces.size() > 2) chosen.push_back(std::move(script));
  }
  return chosen;
}

// The twins of some scripts in one program; an argument chooses.
class Twins {
 public:
  Twins(std::vector<scripted::Script> scripts, const std::string& compiler, const std::string& options) : scripts_(std::move(scripts)) {
    std::ofstream source(folder_.file("twins.cpp"));
    source << twins::twin_prelude();
    for (std::size_t i = 0; i < scripts_.size(); ++i) source << twins::twin_source(scripts_[i], static_cast<int>(i));
    source << twins::twin_main(static_cast<int>(scripts_.size()));
    source.close();
    program_ = folder_.compile(folder_.file("twins.cpp"), "twins", compiler, options);
  }

  const std::vector<scripted::Script>& scripts() const { return scripts_; }
  const std::string& program() const { return program_; }

 private:
  const Folder folder_;
  const std::vector<scripted::Script> scripts_;
  std::string program_;
};

// Two ways to one state have the same future.
void check_futures(const std::string& compiler) {
  const Twins twins(choose_scripts(30, [](const scripted::Script&) { return true; }), compiler, "-O1");
  for (std::size_t i = 0; i < twins.scripts().size(); ++i) {
    SCOPED_TRACE(fmt::format("twin {}\n{}", i, scripted::as_cpp(twins.scripts()[i])));
    WalkOptions options;
    options.mode = wire::StateMode::Verify;
    options.visibility = wire::Visibility::All;
    options.limit = 4000;
    options.revisits = 100;
    const StateSpace space = walk(twins.program(), {std::to_string(i)}, options);
    EXPECT_EQ(space.error, "");
    EXPECT_EQ(space.difference, "");
  }
}

TEST(Twins, GccStatesHaveOneFuture) { check_futures("g++"); }
TEST(Twins, ClangStatesHaveOneFuture) { check_futures("clang++"); }

// Every interleaving of generated programs, every state in it, both ways: every_way.h.
// Seen to fail when fingerprints left out registers (lost), had the number of steps in them (found by --state=verify, too), and when they told whether a thread's last
// write had changed memory (split). Owners and waiters can be left out unnoticed: in these programs they follow from where threads are.
void check_every_way(const std::string& compiler) {
  const Twins twins(choose_scripts(60, twins::takes_equal_steps), compiler, "-O1");
  std::size_t visits = 0, met_again = 0;
  for (std::size_t i = 0; i < twins.scripts().size(); ++i) {
    SCOPED_TRACE(fmt::format("twin {}\n{}", i, scripted::as_cpp(twins.scripts()[i])));
    const EveryWay all = compare_every_way(twins.scripts()[i], twins.program(), std::to_string(i));
    EXPECT_EQ(all.error, "");
    EXPECT_EQ(all.lost, "");
    if (!twins::has_compare_exchange(twins.scripts()[i])) {
      EXPECT_EQ(all.split, 0u) << "of " << all.states;
    }
    visits += all.visits;
    met_again += all.visits - all.states;
  }
  EXPECT_GT(visits, 10'000u);
  EXPECT_GT(met_again, visits / 2);
}

TEST(Twins, GccFingerprintsAreStates) { check_every_way("g++"); }
TEST(Twins, ClangFingerprintsAreStates) { check_every_way("clang++"); }

}  // namespace
}  // namespace heddle::states
