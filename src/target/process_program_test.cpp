// ProcessProgram against a target that is this very test program, started again: it knows the wire and nothing else, and
// misbehaves as its first argument says. What a real runtime does is tested with real programs (tests/).
#include "target/process_program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "base/futex.h"
#include "target/activity.h"
#include "target/elf_inspection.h"
#include "target/hang_watch.h"
#include "target/target_process.h"
#include "target/trace_codec.h"

#define HEDDLE_TEXT_(x) #x
#define HEDDLE_TEXT(x) HEDDLE_TEXT_(x)

// Makes this program one that inspect_program accepts, as the runtime's own note does for instrumented programs.
asm(R"(
  .pushsection .note.heddle,"a",@note
  .balign 4
  .long 7, 4, 0x4844
  .asciz "Heddle"
  .balign 4
  .long )" HEDDLE_TEXT(HEDDLE_WIRE_VERSION) R"(
  .popsection
)");
static_assert(heddle::wire::kNoteType == 0x4844, "the note above says otherwise");

namespace heddle {
namespace {

// --- the target's side -----------------------------------------------------------------------------------------------

class FakeTarget {
 public:
  FakeTarget(wire::Segment* segment, std::string mode) : s_(segment), mode_(std::move(mode)) {
    unsigned char* base = reinterpret_cast<unsigned char*>(segment);
    requests_ = {&s_->requests, base + s_->requests.offset, s_->requests.bytes};
    traces_ = {&s_->traces, base + s_->traces.offset, s_->traces.bytes};
  }

  [[noreturn]] void serve() {
    if (mode_ == "before-main") _exit(7);
    if (mode_ == "never-ready") pause();
    s_->target_version = mode_ == "other-version" ? 99 : wire::kVersion;
    s_->module_count = mode_ == "greedy-counts" ? 1'000'000 : 0;
    if (mode_ == "startup-error") std::strcpy(s_->startup_error, "no room for the stacks");
    __atomic_store_n(&s_->target_ready, mode_ == "startup-error" ? 2 : 1, __ATOMIC_RELEASE);
    futex_wake(&s_->target_ready);
    for (;;) {
      const wire::RequestHeader request = next_request();
      ++served_;
      answer(request);
    }
  }

 private:
  wire::RequestHeader next_request() {
    wire::RingMessage message;
    while ((message = wire::ring_peek(requests_)).data == nullptr) {
      wire::ring_sleep(requests_, [](std::uint32_t* word) { futex_wait(word, 1, 1000); });
    }
    wire::RequestHeader request;
    std::memcpy(&request, message.data, sizeof request);
    wire::ring_release(requests_, request.bytes);
    return request;
  }

  void answer(const wire::RequestHeader& request) {
    const bool first_process = s_->thread_count++ == 0;  // the directory outlives a target, so it can count them
    if (mode_ == "die-always" || (mode_ == "die-once" && first_process)) kill(getpid(), SIGKILL);
    if (mode_ == "die-later" && request.seed == 13) _exit(3);
    if (mode_ == "die-unless-fork" && s_->options.executor == wire::Executor::Rollback) abort_quietly();
    if (mode_ == "hang-deaf" && request.seed == 13) hang_deaf();
    if (mode_ == "hang-busy" && request.seed == 13) hang_busy();
    if (mode_ == "is-stopped" && request.seed == 13) raise(SIGSTOP);
    if (mode_ == "hang-answers" && request.seed == 13) return hang_and_answer(request);
    if (mode_ == "leaks") take_memory(1 << 20);
    if (mode_ == "eats" && request.seed == 13) return eat_and_answer(request);
    if (mode_ == "eats-deaf" && request.seed == 13) eat_deaf();
    if (mode_ == "garbage-length") return garbage(request, 7);
    if (mode_ == "garbage-long") return garbage(request, 1u << 31);
    if (mode_ == "garbage-counts") return wrong_counts(request);
    if (mode_ == "garbage-index") __atomic_store_n(&s_->traces.written, 0x7777777777777778ULL, __ATOMIC_SEQ_CST), pause();
    if (mode_ == "needs-fork" && s_->options.executor == wire::Executor::Rollback)
      return send(request, wire::End::NeedsFork, "write() to a socket");
    if (mode_ == "needs-fork-always") return send(request, wire::End::NeedsFork, "write() to a socket");
    if (mode_ == "needs-threads" && first_process) return send(request, wire::End::NeedsThreads);
    if (mode_ == "needs-threads-always") return need_threads_for_nothing(request);
    if (mode_ == "prints") print(request);
    if (mode_ == "not-seen") note_in_each_process(first_process);
    send(request, wire::End::Completed);
  }

  [[noreturn]] void hang_deaf() {
    signal(SIGALRM, SIG_IGN);
    for (;;) pause();
  }

  [[noreturn]] void hang_busy() {
    signal(SIGALRM, SIG_IGN);
    for (;;) __asm__ volatile("");
  }

  void need_threads_for_nothing(const wire::RequestHeader& request) {
    s_->thread_count = 1;
    send(request, wire::End::NeedsThreads);
  }

  [[noreturn]] void abort_quietly() {
    kill(getpid(), SIGKILL);
    _exit(1);
  }

  // With texts that do not end, a kind that is none, and more notes claimed than there can be.
  void note_in_each_process(bool first_process) {
    wire::UncoveredNote& note = s_->uncovered.notes[first_process ? 0 : 1];
    note.pc = 7;
    note.kind = first_process ? wire::UncoveredKind::Call : wire::UncoveredKind::kCount;
    std::memset(note.function, 'f', sizeof note.function);
    std::strcpy(note.reason, "no row");
    s_->uncovered.count = first_process ? 1 : 2;
    if (first_process) kill(getpid(), SIGKILL);
    s_->uncovered.dropped = 1;
  }

  void print(const wire::RequestHeader& request) {
    [[maybe_unused]] int emptied = ftruncate(1, 0);
    const std::string text = "run " + std::to_string(request.seed) + "\n";
    [[maybe_unused]] ssize_t written = write(1, text.data(), text.size());
  }

  static void on_alarm(int) { g_alarm = 1; }
  inline static volatile sig_atomic_t g_alarm = 0;
  void hang_and_answer(const wire::RequestHeader& request) {
    signal(SIGALRM, on_alarm);
    while (!g_alarm) usleep(1000);
    g_alarm = 0;
    send(request, wire::End::Hung);
  }

  static void take_memory(std::size_t bytes) {
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::memset(at, 1, bytes);
  }
  void eat_and_answer(const wire::RequestHeader& request) {
    signal(wire::kMemorySignal, on_alarm);
    for (; !g_alarm; usleep(1000)) take_memory(1 << 18);
    g_alarm = 0;
    send(request, wire::End::OutOfMemory);
  }
  [[noreturn]] void eat_deaf() {
    signal(wire::kMemorySignal, SIG_IGN);
    for (;; usleep(1000)) take_memory(1 << 20);
  }

  unsigned char* reserve(std::uint64_t bytes) {
    unsigned char* at;
    while ((at = wire::ring_reserve(traces_, bytes, futex_wake)) == nullptr) usleep(100);
    return at;
  }

  void garbage(const wire::RequestHeader& request, std::uint32_t size) {
    wire::TraceHeader h;
    h.bytes = size;
    h.request_id = request.id;
    std::memcpy(reserve(sizeof h), &h, sizeof h);
    wire::ring_advance(traces_, sizeof h, futex_wake);
    pause();
  }

  void wrong_counts(const wire::RequestHeader& request) {
    wire::TraceHeader h;
    h.bytes = sizeof h;
    h.request_id = request.id;
    h.events = 0xffffffff;
    std::memcpy(reserve(sizeof h), &h, sizeof h);
    wire::ring_advance(traces_, sizeof h, futex_wake);
    pause();
  }

  // One event whose object is the request's seed, so that order can be checked.
  void send(const wire::RequestHeader& request, wire::End end, const char* text = nullptr) {
    __atomic_add_fetch(&s_->heartbeat, 1, __ATOMIC_RELAXED);
    wire::Event event;
    event.object = request.seed;
    event.size = request.max_steps;
    wire::Report report;
    if (text != nullptr) {
      std::strcpy(report.text, text);
      report.text_length = static_cast<std::uint16_t>(std::strlen(text));
    }
    wire::TraceHeader h;
    h.end = end;
    h.request_id = request.id;
    h.events = 1;
    h.reports = text != nullptr;
    h.threads = 1;
    h.output_bytes = 1 << 20;
    h.bytes = static_cast<std::uint32_t>(sizeof h + sizeof event + h.reports * sizeof report);
    unsigned char* at = reserve(h.bytes);
    std::memcpy(at, &h, sizeof h);
    std::memcpy(at + sizeof h, &event, sizeof event);
    if (h.reports) std::memcpy(at + sizeof h + sizeof event, &report, sizeof report);
    wire::ring_advance(traces_, h.bytes, futex_wake);
  }

  wire::Segment* s_;
  std::string mode_;
  wire::RingView requests_, traces_;
  int served_ = 0;
};

// Runs before gtest's main when this program has been started as a target.
__attribute__((constructor)) void become_target(int argc, char** argv, char**) {
  const char* fd = std::getenv(wire::kFdVariable);
  if (fd == nullptr || argc < 2) return;
  struct stat facts {};
  fstat(std::atoi(fd), &facts);
  void* at = mmap(nullptr, static_cast<std::size_t>(facts.st_size), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                  std::atoi(fd), 0);
  if (at == MAP_FAILED) _exit(99);
  FakeTarget(static_cast<wire::Segment*>(at), argv[1]).serve();
}

// --- the explorer's side ---------------------------------------------------------------------------------------------

struct Started {
  std::vector<std::string> said;
  Result<std::unique_ptr<ProcessProgram>> program = Error{};
  ProcessProgram& operator*() { return **program; }
  ProcessProgram* operator->() { return program->get(); }
};

std::unique_ptr<Started> start(const std::string& mode, std::function<void(ProcessOptions&)> change = {}) {
  auto started = std::make_unique<Started>();
  ProcessOptions options;
  options.path = std::filesystem::read_symlink("/proc/self/exe").string();
  options.arguments = {mode};
  options.input_file = "/dev/null";
  options.wire.hang_ms = 200;
  options.say = [raw = started.get()](const std::string& line) { raw->said.push_back(line); };
  if (change) change(options);
  started->program = ProcessProgram::start(options);
  return started;
}

Request numbered(std::uint64_t seed) {
  Request request;
  request.seed = seed;
  return request;
}

// Submits `count` requests and expects their traces in order, whatever happens to `special`.
void expect_in_order(ProcessProgram& program, std::uint64_t count, std::uint64_t special = ~0ULL) {
  for (std::uint64_t i = 0; i < count; ++i) ASSERT_TRUE(program.submit(numbered(i)).ok());
  for (std::uint64_t i = 0; i < count; ++i) {
    Result<Trace> trace = program.collect();
    ASSERT_TRUE(trace.ok()) << trace.error().what;
    if (i == special) continue;
    ASSERT_EQ(trace->end, wire::End::Completed) << i;
    ASSERT_EQ(trace->events.at(0).object, i);
  }
  EXPECT_EQ(program.in_flight(), 0);
}

TEST(ProcessProgram, WhatIsNotSeenIsKeptWhenTheTargetDies) {
  auto p = start("not-seen");
  ASSERT_TRUE(p->program.ok()) << p->program.error().what;
  EXPECT_TRUE((*p->program)->uncovered().empty());
  expect_in_order(**p, 1);
  const std::vector<UncoveredNote> notes = (*p->program)->uncovered();
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes[0], (UncoveredNote{wire::UncoveredKind::Call, 7, std::string(80, 'f'), "no row"}));
  EXPECT_EQ(notes[1].kind, wire::UncoveredKind::Code);
  EXPECT_FALSE(notes[2].reason.empty());
}

TEST(ProcessProgram, AnswersInOrder) {
  auto p = start("well");
  ASSERT_TRUE(p->program.ok()) << p->program.error().what;
  expect_in_order(**p, 256);
  expect_in_order(**p, 256);
}

TEST(ProcessProgram, LimitOfStepsIsTheProgramsUnlessTheRequestHasOne) {
  auto p = start("well", [](ProcessOptions& o) { o.max_steps = 77; });
  EXPECT_EQ((**p).run({})->events.at(0).size, 77u);
  Request request;
  request.max_steps = 5;
  EXPECT_EQ((**p).run(request)->events.at(0).size, 5u);
}

TEST(ProcessProgram, ManyRunsGoRoundTheRing) {
  auto p = start("well");
  Request request;
  request.prefix.resize(1 << 20);  // 2 MB each: the request ring of 16 MB is walked through again and again
  for (int i = 0; i < 64; ++i) ASSERT_TRUE((**p).submit(request).ok());
  for (int i = 0; i < 64; ++i) ASSERT_TRUE((**p).collect().ok());
}

TEST(ProcessProgram, ScheduleTooLongToHandOver) {
  auto p = start("well");
  Request request;
  request.prefix.resize(16 << 20);
  EXPECT_FALSE((**p).submit(request).ok());
  EXPECT_EQ((**p).in_flight(), 0);
}

TEST(ProcessProgram, KilledOnceIsBadLuck) {
  auto p = start("die-once");
  expect_in_order(**p, 20);
  EXPECT_EQ((**p).options().executor, wire::Executor::Rollback);
  EXPECT_TRUE(p->said.empty());
}

TEST(ProcessProgram, KilledFromOutsideLosesNothing) {
  auto p = start("well");
  expect_in_order(**p, 20);
  kill((**p).target_pid(), SIGKILL);
  expect_in_order(**p, 20);
}

TEST(ProcessProgram, RunThatAlwaysDiesIsATrace) {
  auto p = start("die-later");
  expect_in_order(**p, 30, 13);
  ASSERT_EQ(p->said.size(), 1u);  // tried in a fresh process too
  Result<Trace> trace = (**p).run(numbered(13));
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace->end, wire::End::Died);
  EXPECT_EQ(WEXITSTATUS(trace->exit_status), 3);
}

TEST(ProcessProgram, DeathUnderAForcedExecutor) {
  auto p = start("die-always", [](ProcessOptions& o) { o.may_change_executor = false; });
  Result<Trace> trace = (**p).run({});
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace->end, wire::End::Died);
  EXPECT_EQ(WTERMSIG(trace->exit_status), SIGKILL);
  EXPECT_TRUE(p->said.empty());
}

TEST(ProcessProgram, DiesOnlyUnderRollback) {
  auto p = start("die-unless-fork");
  expect_in_order(**p, 20);
  EXPECT_EQ((**p).options().executor, wire::Executor::Fork);
}

TEST(ProcessProgram, GarbageNeverHangsTheTool) {
  for (const char* mode : {"garbage-length", "garbage-long", "garbage-counts", "garbage-index"}) {
    auto p = start(mode);
    Result<Trace> trace = (**p).run({});
    ASSERT_TRUE(trace.ok()) << mode;
    EXPECT_EQ(trace->end, wire::End::Died) << mode;
  }
}

TEST(ProcessProgram, HangIsInterruptedAndAnswered) {
  auto p = start("hang-answers");
  for (std::uint64_t i : {1, 13, 14}) {
    Result<Trace> trace = (**p).run(numbered(i));
    ASSERT_TRUE(trace.ok());
    EXPECT_EQ(trace->end, i == 13 ? wire::End::Hung : wire::End::Completed);
  }
}

// The one is blocked in a system call, the other in a loop.
TEST(ProcessProgram, DeafHangIsKilledAndTheRestGoesOn) {
  for (const char* mode : {"hang-deaf", "hang-busy"}) {
    auto p = start(mode);
    expect_in_order(**p, 20, 13);
    Result<Trace> trace = (**p).run(numbered(13));
    ASSERT_TRUE(trace.ok());
    EXPECT_EQ(trace->end, wire::End::Hung) << mode;
  }
}

// Seen to fail when time counts in which the target was stopped.
TEST(ProcessProgram, TargetThatIsStoppedForLongerThanTheLimitIsNoHang) {
  auto p = start("is-stopped");
  std::thread somebody([pid = (**p).target_pid()] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // more than the limit and the grace behind it
    kill(pid, SIGCONT);
  });
  const Result<Trace> trace = (**p).run(numbered(13));
  somebody.join();
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace->end, wire::End::Completed);
}

void with_little_memory(ProcessOptions& options) {
  options.wire.memory_mb = 64;
  options.wire.hang_ms = 60'000;
}

TEST(ProcessProgram, RunThatTakesTooMuchMemoryIsATrace) {
  for (const char* mode : {"eats", "eats-deaf"}) {
    auto p = start(mode, with_little_memory);
    expect_in_order(**p, 20, 13);
    Result<Trace> trace = (**p).run(numbered(13));
    ASSERT_TRUE(trace.ok());
    EXPECT_EQ(trace->end, wire::End::OutOfMemory) << mode;
    EXPECT_TRUE(p->said.empty());  // no reason to change the executor
  }
}

TEST(ProcessProgram, WhatManyRunsLeaveBehindIsNotTheLastOnes) {
  auto p = start("leaks", with_little_memory);
  const pid_t first = (**p).target_pid();
  expect_in_order(**p, 600);
  EXPECT_NE((**p).target_pid(), first);
}

TEST(ProcessProgram, GivesUpWhenAsked) {
  bool enough = false;
  auto p = start("hang-deaf", [&](ProcessOptions& o) {
    o.wire.hang_ms = 60'000;
    o.give_up = [&] { return enough; };
  });
  enough = true;
  Result<Trace> trace = (**p).run(numbered(13));
  ASSERT_FALSE(trace.ok());
  EXPECT_EQ(trace.error().code, ExitCode::Incomplete);
}

TEST(ProcessProgram, ChangesToForkOnce) {
  auto p = start("needs-fork");
  expect_in_order(**p, 50);
  EXPECT_EQ((**p).options().executor, wire::Executor::Fork);
  ASSERT_EQ(p->said.size(), 1u);
  EXPECT_NE(p->said[0].find("write() to a socket"), std::string::npos);
}

TEST(ProcessProgram, ForkThatIsForbiddenOrDoesNotHelpIsAnError) {
  auto forbidden = start("needs-fork", [](ProcessOptions& o) { o.may_change_executor = false; });
  Result<Trace> trace = (**forbidden).run({});
  ASSERT_FALSE(trace.ok());
  EXPECT_EQ(trace.error().code, ExitCode::Unsupported);
  auto useless = start("needs-fork-always");
  EXPECT_FALSE((**useless).run({}).ok());
}

TEST(ProcessProgram, TargetThatNeedsRoomForThreadsIsStartedAgain) {
  auto p = start("needs-threads");
  const pid_t first = (**p).target_pid();
  expect_in_order(**p, 20);
  EXPECT_NE((**p).target_pid(), first);
  EXPECT_TRUE(p->said.empty());
}

// Started again only while more threads are known than at its start: it would go on for ever otherwise.
TEST(ProcessProgram, TargetThatAlwaysNeedsRoomIsLost) {
  auto p = start("needs-threads-always");
  Result<Trace> trace = (**p).run({});
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(trace->end, wire::End::Died);
}

TEST(ProcessProgram, KeepsTheOutputOfARun) {
  auto p = start("prints");
  Request request = numbered(5);
  request.keep_output = true;
  EXPECT_EQ((**p).run(request)->output, "run 5\n");
  EXPECT_EQ((**p).run(numbered(6))->output, "");
}

TEST(ProcessProgram, WhatKeepsItFromMainIsAnError) {
  const std::pair<const char*, const char*> modes[] = {{"before-main", "before main (exit status 7)"},
                                                       {"never-ready", "does not reach main"},
                                                       {"startup-error", "no room for the stacks"},
                                                       {"other-version", "wire version 99"}};
  for (const auto& [mode, words] : modes) {
    auto p = start(mode);
    ASSERT_FALSE(p->program.ok()) << mode;
    EXPECT_NE(p->program.error().what.find(words), std::string::npos) << p->program.error().what;
    EXPECT_EQ(p->program.error().code, ExitCode::Usage);
    EXPECT_FALSE(p->program.error().next.empty());
  }
}

TEST(ProcessProgram, CountsOfTheTargetAreCut) {
  auto p = start("greedy-counts");
  EXPECT_EQ((**p).modules().size(), static_cast<std::size_t>(wire::kMaxModules));
}

TEST(ProcessProgram, VisibleRangesGrowMergeAndEnd) {
  auto p = start("well");
  ASSERT_TRUE((**p).make_visible(100, 4).ok());
  ASSERT_TRUE((**p).make_visible(100, 4).ok());
  ASSERT_TRUE((**p).make_visible(104, 4).ok());
  EXPECT_EQ((**p).visible_ranges().size(), 1u);
  EXPECT_EQ((**p).visible_ranges()[0].size, 8u);
  for (int i = 1; i < wire::kMaxVisibleRanges; ++i)
    ASSERT_TRUE((**p).make_visible(1000u * static_cast<unsigned>(i), 4).ok());
  EXPECT_FALSE((**p).make_visible(1, 1).ok());
}

// --- the file before it is started -----------------------------------------------------------------------------------

class Inspection : public testing::Test {
 protected:
  std::string write_file(const std::string& name, const std::string& content, bool executable) {
    const auto path = std::filesystem::path(testing::TempDir()) / name;
    std::ofstream(path) << content;
    chmod(path.c_str(), executable ? 0755 : 0644);
    return path.string();
  }
  std::string refusal(const std::string& path) {
    Result<ElfFacts> facts = inspect_program(path);
    EXPECT_FALSE(facts.ok());
    if (facts.ok()) return "";
    EXPECT_EQ(facts.error().code, ExitCode::Usage);
    EXPECT_FALSE(facts.error().next.empty());
    EXPECT_EQ(facts.error().what.find('\n'), std::string::npos);
    return facts.error().what;
  }
};

TEST_F(Inspection, RefusesWhatCannotBeTested) {
  EXPECT_NE(refusal("/nowhere/prog").find("No such file"), std::string::npos);
  EXPECT_NE(refusal("/tmp").find("directory"), std::string::npos);
  EXPECT_NE(refusal(write_file("heddle_script", "#!/bin/sh\n", true)).find("not an ELF"), std::string::npos);
  EXPECT_NE(refusal(write_file("heddle_empty", "", true)).find("not an ELF"), std::string::npos);
  EXPECT_NE(refusal("/bin/true").find("not instrumented"), std::string::npos);
}

TEST_F(Inspection, RefusesOtherMachinesAndVersions) {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(self)), {});
  std::string other = bytes;
  other[18] = 8;  // e_machine: MIPS
  EXPECT_NE(refusal(write_file("heddle_mips", other, true)).find("another kind of processor"), std::string::npos);
  other = bytes;
  const std::string note("\x44\x48\0\0Heddle\0\0", 12);
  const auto at = other.find(note);
  ASSERT_NE(at, std::string::npos);
  other[at + note.size()] = 42;
  const std::string text = refusal(write_file("heddle_version", other, true));
  EXPECT_NE(text.find("42"), std::string::npos);
  EXPECT_NE(text.find(std::to_string(wire::kVersion)), std::string::npos);
  EXPECT_NE(refusal(write_file("heddle_not_executable", bytes, false)).find("not executable"), std::string::npos);
}

// --- small parts -----------------------------------------------------------------------------------------------------

TEST(Tunables, AreMerged) {
  EXPECT_EQ(tunables_without_rseq(nullptr), "glibc.pthread.rseq=0");
  EXPECT_EQ(tunables_without_rseq("glibc.malloc.check=1"), "glibc.malloc.check=1:glibc.pthread.rseq=0");
  EXPECT_EQ(tunables_without_rseq("glibc.pthread.rseq=1:a.b=c"), "a.b=c:glibc.pthread.rseq=0");
}

// A watch over a process that this test makes up, with a look every ten milliseconds.
class Watched {
 public:
  using State = Activity::State;
  HangWatch::Advice wait(std::chrono::milliseconds time, State state, double share = 0) {
    HangWatch::Advice advice = HangWatch::Advice::Wait;
    for (auto end = now_.when + time; now_.when < end && advice == HangWatch::Advice::Wait;) advice = look_after(kBetween, state, share);
    return advice;
  }
  HangWatch::Advice look_after(std::chrono::milliseconds time, State state, double share) {
    now_.when += time;
    worked_ += share * static_cast<double>(time.count());
    now_.processor = std::chrono::milliseconds(static_cast<long>(worked_));
    now_.state = state;
    return watch_.look(now_, heartbeat);
  }
  std::uint64_t heartbeat = 1;

 private:
  static constexpr std::chrono::milliseconds kBetween{10};
  HangWatch watch_{std::chrono::milliseconds(1000)};
  Activity now_;
  double worked_ = 0;
};

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""h;
using Advice = HangWatch::Advice;
using State = Activity::State;

TEST(HangWatch, InterruptsThenKillsAndForgivesProgress) {
  Watched run;
  EXPECT_EQ(run.wait(900ms, State::Runs, 1), Advice::Wait);
  EXPECT_EQ(run.wait(200ms, State::Runs, 1), Advice::Interrupt);
  EXPECT_EQ(run.wait(500ms, State::Runs, 1), Advice::Wait);
  run.heartbeat = 2;
  EXPECT_EQ(run.wait(900ms, State::Runs, 1), Advice::Wait);
  EXPECT_EQ(run.wait(200ms, State::Runs, 1), Advice::Interrupt);
  EXPECT_EQ(run.wait(900ms, State::Runs, 1), Advice::Wait);
  EXPECT_EQ(run.wait(200ms, State::Runs, 1), Advice::Kill);
}

// The next four were each seen to fail: with the clock's time for all states, with the processor's time alone, with stopped time, with time
// that nobody saw (either way).
TEST(HangWatch, WaitingForAProcessorIsNoHang) {
  Watched run;
  EXPECT_EQ(run.wait(9000ms, State::Runs, 0.1), Advice::Wait);
  EXPECT_EQ(run.wait(2000ms, State::Runs, 0.1), Advice::Interrupt);
}

TEST(HangWatch, BlockedInTheKernelIs) {
  Watched run;
  EXPECT_EQ(run.wait(900ms, State::Blocked), Advice::Wait);
  EXPECT_EQ(run.wait(200ms, State::Blocked), Advice::Interrupt);
  EXPECT_EQ(run.wait(1100ms, State::Blocked), Advice::Kill);
}

TEST(HangWatch, StoppedByOthersIsNot) {
  Watched run;
  EXPECT_EQ(run.wait(1h, State::Stopped), Advice::Wait);
  EXPECT_EQ(run.wait(900ms, State::Runs, 1), Advice::Wait);
}

TEST(HangWatch, TimeInWhichNobodyLookedIsNot) {
  Watched run;
  run.look_after(10ms, State::Blocked, 0);
  run.look_after(10ms, State::Blocked, 0);
  EXPECT_EQ(run.look_after(1h, State::Blocked, 0), Advice::Wait);
  // As long a time between a look at the process and a look at its heartbeat: all of it may be before the heartbeat.
  run.heartbeat = 2;
  EXPECT_EQ(run.look_after(10ms, State::Runs, 1), Advice::Wait);
  EXPECT_EQ(run.look_after(1h, State::Runs, 1), Advice::Wait);
}

TEST(Activity, IsReadBehindAnyName) {
  const auto parsed = parse_activity("7 (a) R 1 (b)) S 1 7 7 0 -1 4194304 90 0 0 0 150 50 0 0 20 0 1 0", 100);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->state, State::Blocked);
  EXPECT_EQ(parsed->processor, 2000ms);
  EXPECT_FALSE(parse_activity("7 (a", 100));
  EXPECT_FALSE(parse_activity("7 (a) S 1 7", 100));
}

TEST(Activity, OfThisProcess) {
  const auto before = activity_of(getpid());
  ASSERT_TRUE(before);
  EXPECT_EQ(before->state, State::Runs);
  for (auto now = before; now->processor < before->processor + 50ms; now = activity_of(getpid())) ASSERT_TRUE(now);
  EXPECT_FALSE(activity_of(-1));
}

TEST(TraceCodec, EveryCutMessageIsRefused) {
  constexpr std::uint32_t kStack = sizeof(wire::StackRecord) + 2 * sizeof(Address);
  std::vector<unsigned char> bytes(sizeof(wire::TraceHeader) + sizeof(Event) + sizeof(Pending) + kStack);
  wire::TraceHeader h;
  h.bytes = static_cast<std::uint32_t>(bytes.size());
  h.events = h.pendings = 1;
  h.stack_bytes = kStack;
  std::memcpy(bytes.data(), &h, sizeof h);
  wire::StackRecord record;
  record.depth = 2;
  std::memcpy(bytes.data() + bytes.size() - kStack, &record, sizeof record);
  ASSERT_TRUE(decode(bytes.data(), bytes.size()).has_value());
  EXPECT_EQ(decode(bytes.data(), bytes.size())->trace.stacks.at(0).frames.size(), 2u);
  for (std::size_t available = 0; available < bytes.size(); ++available)
    EXPECT_FALSE(decode(bytes.data(), available)) << available;
  h.events = 2;
  std::memcpy(bytes.data(), &h, sizeof h);
  EXPECT_FALSE(decode(bytes.data(), bytes.size()));
}

}  // namespace
}  // namespace heddle
