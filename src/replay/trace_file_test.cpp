#include "replay/trace_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "replay/address_text.h"
#include "replay/build_id.h"
#include "replay/sample_test.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class TraceFileTest : public testing::Test {
 protected:
  TraceFileTest() {
    std::string name = (fs::temp_directory_path() / "heddle-trace-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~TraceFileTest() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name), std::ios::binary) << text; }

  fs::path folder_;
};

void expect_equal(const TraceFile& a, const TraceFile& b) {
  // serialize covers every field that is stored; the fields below guard against one that is not.
  EXPECT_EQ(serialize(a), serialize(b));
  EXPECT_EQ(a.facts.arguments, b.facts.arguments);
  EXPECT_EQ(a.facts.modules, b.facts.modules);
  EXPECT_EQ(a.facts.environment, b.facts.environment);
  EXPECT_EQ(a.facts.options.cpus, b.facts.options.cpus);
  EXPECT_EQ(a.facts.max_steps, b.facts.max_steps);
  ASSERT_EQ(a.facts.threads.size(), b.facts.threads.size());
  for (std::size_t i = 0; i < a.facts.threads.size(); ++i) EXPECT_EQ(a.facts.threads[i].child, b.facts.threads[i].child);
  EXPECT_EQ(a.finding.choices, b.finding.choices);
  EXPECT_EQ(a.finding.signature, b.finding.signature);
  EXPECT_EQ(a.finding.kind, b.finding.kind);
  ASSERT_EQ(a.trace.events.size(), b.trace.events.size());
  for (std::size_t i = 0; i < a.trace.events.size(); ++i) {
    EXPECT_EQ(a.trace.events[i].object, b.trace.events[i].object);
    EXPECT_EQ(a.trace.events[i].enabled, b.trace.events[i].enabled);
  }
  EXPECT_EQ(a.trace.output, b.trace.output);
  EXPECT_EQ(a.places.frames, b.places.frames);
  EXPECT_EQ(a.places.names, b.places.names);
}

TEST_F(TraceFileTest, WhatIsWrittenIsRead) {
  const TraceFile trace = sample::abba_file();
  ASSERT_TRUE(write_trace_file(path("a.trace"), trace).ok());
  Result<TraceFile> read = read_trace_file(path("a.trace"));
  ASSERT_TRUE(read.ok()) << read.error().what;
  expect_equal(trace, *read);
}

TEST_F(TraceFileTest, OutputAndArgumentsMayBeAnyBytes) {
  TraceFile trace = sample::abba_file();
  trace.trace.output = std::string("\xff\x00\x80 caf\xc3\xa9\n", 10);
  trace.facts.arguments = {"\xfe\xff", "", "\xc3\xa9"};
  Result<TraceFile> read = parse_trace_file(serialize(trace), "x");
  ASSERT_TRUE(read.ok()) << read.error().what;
  expect_equal(trace, *read);
}

TEST_F(TraceFileTest, EveryTruncationIsRefused) {
  const std::string whole = serialize(sample::abba_file());
  for (std::size_t length = 0; length + 1 < whole.size(); length += 1 + length / 50) {
    Result<TraceFile> read = parse_trace_file(whole.substr(0, length), "cut.trace");
    ASSERT_FALSE(read.ok()) << "accepted after " << length << " of " << whole.size() << " bytes";
    EXPECT_EQ(read.error().code, ExitCode::Usage);
    EXPECT_NE(read.error().what.find("cut.trace"), std::string::npos);
    EXPECT_FALSE(read.error().next.empty());
  }
}

TEST_F(TraceFileTest, NoFlippedBitChangesWhatIsRead) {
  const std::string whole = serialize(sample::abba_file());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string altered = whole;
    altered[i] = static_cast<char>(altered[i] ^ (1 << (i % 8)));
    Result<TraceFile> read = parse_trace_file(altered, "flip.trace");
    // A flip that only touches the way JSON is spelled (the final newline) may pass if it means the same.
    if (!read.ok()) continue;
    EXPECT_EQ(serialize(*read), whole) << "byte " << i;
  }
}

TEST_F(TraceFileTest, AnotherVersionSaysWhichOne) {
  std::string text = serialize(sample::abba_file());
  const std::string field = "\"version\":1";
  text.replace(text.find(field), field.size(), "\"version\":7");
  Result<TraceFile> read = parse_trace_file(text, "old.trace");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().what.find("trace format 7"), std::string::npos) << read.error().what;
  EXPECT_EQ(read.error().code, ExitCode::Usage);
}

TEST_F(TraceFileTest, WhatIsNoTraceIsRefused) {
  write("a.txt", "hello");
  write("b.json", "{\"a\": 1}");
  write("c.json", "[]");
  write("d.json", "");
  for (const char* name : {"a.txt", "b.json", "c.json", "d.json", "missing", "."}) {
    Result<TraceFile> read = read_trace_file(path(name));
    ASSERT_FALSE(read.ok()) << name;
    EXPECT_EQ(read.error().code, ExitCode::Usage);
    EXPECT_FALSE(read.error().next.empty());
    EXPECT_EQ(read.error().what.find('\n'), std::string::npos);
  }
}

TEST_F(TraceFileTest, SavingNumbersFindingsAndKeepsStrangersFiles) {
  TraceFile trace = sample::abba_file();
  write("heddle-transfer-deadlock-1.trace", "my notes");
  Result<std::string> first = save_trace_file(folder_.string(), trace);
  ASSERT_TRUE(first.ok()) << first.error().what;
  EXPECT_EQ(*first, path("heddle-transfer-deadlock-2.trace"));
  EXPECT_EQ(*save_trace_file(folder_.string(), trace), *first) << "the same finding replaces itself";
  trace.finding.signature = "another";
  EXPECT_EQ(*save_trace_file(folder_.string(), trace), path("heddle-transfer-deadlock-3.trace"));
  std::ifstream notes(path("heddle-transfer-deadlock-1.trace"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(notes), {}), "my notes");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 3) << "a temporary file was left";
}

TEST_F(TraceFileTest, AnUnwritableDirectoryIsOneClearLine) {
  write("file", "");
  for (const std::string& where : {path("missing"), path("file")}) {
    Result<std::string> saved = save_trace_file(where, sample::abba_file());
    ASSERT_FALSE(saved.ok());
    EXPECT_NE(saved.error().what.find(where), std::string::npos);
    EXPECT_NE(saved.error().next.find("--trace-dir"), std::string::npos);
  }
}

TEST_F(TraceFileTest, AChangedBinaryIsRecognised) {
  write("program", "first build");
  TraceFile trace = sample::abba_file();
  trace.facts.modules = {{path("program"), *build_id(path("program"))}};
  EXPECT_TRUE(check_unchanged(trace, "t.trace").ok());
  write("program", "second build");
  Status changed = check_unchanged(trace, "t.trace");
  ASSERT_FALSE(changed.ok());
  EXPECT_NE(changed.error().what.find("has changed"), std::string::npos);
  EXPECT_EQ(changed.error().code, ExitCode::Usage);
  fs::remove(path("program"));
  EXPECT_FALSE(check_unchanged(trace, "t.trace").ok());
}

TEST_F(TraceFileTest, ChangedInputIsRecognised) {
  write("input", "1 2 3");
  TraceFile trace = sample::abba_file();
  trace.facts.modules.clear();
  trace.facts.input_file = path("input");
  trace.facts.input_hash = *file_hash(path("input"));
  EXPECT_TRUE(check_unchanged(trace, "t.trace").ok());
  write("input", "1 2 4");
  EXPECT_FALSE(check_unchanged(trace, "t.trace").ok());
}

TEST(BuildId, IsTheLinkersWhereThereIsOne) {
  Result<std::string> own = build_id("/proc/self/exe");
  ASSERT_TRUE(own.ok());
  EXPECT_TRUE(own->starts_with("gnu:") || own->starts_with("xxh64:"));
  EXPECT_GT(own->size(), 12u);
}

TEST(AddressText, RoundTrip) {
  for (Address a : {Address{0}, sample::code(0x1234), wire::make_address(wire::Region::Heap, 5, 0xffff'ffff'ffff),
                    wire::make_address(wire::Region::Stack, 127, 0), sample::thread_object(3),
                    wire::make_address(wire::Region::Other, 0, 0x7fff), Address{0x1234}, ~Address{0}})
    EXPECT_EQ(parse_address(address_text(a)), a) << address_text(a);
  for (const char* bad : {"", "m", "m0", "m0+", "m+1", "q0+1", "m0+xyz", "m0+1 ", "m9999+1"})
    EXPECT_FALSE(parse_address(bad)) << bad;
}

TEST(EnvironmentFacts, KeepWhatChangesRunsAndNoSecrets) {
  char lang[] = "LANG=C", omp[] = "OMP_NUM_THREADS=4", token[] = "API_TOKEN=secret", odd[] = "odd";
  char* environment[] = {lang, omp, token, odd, nullptr};
  EXPECT_EQ(environment_facts(environment), (std::map<std::string, std::string>{{"LANG", "C"}, {"OMP_NUM_THREADS", "4"}}));
}

}  // namespace
}  // namespace heddle
