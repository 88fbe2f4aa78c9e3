// Files that are whole come back as they were; all others are refused, with the reason.
#include "dist/checkpoint.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

namespace fs = std::filesystem;

SearchFacts facts() { return {{"the program's build", "gnu:1234"}, {"--algorithm", "optimal"}, {"--seed", "1"}}; }

Checkpoint sample() {
  Balancer balancer([](int, const Command&) {}, std::nullopt);
  Checkpoint c;
  c.facts = facts();
  c.search = balancer.save();
  c.search.settled.executions = 12345;
  c.search.threads = {{}, {0, 0, 1}};
  c.findings = {{{{1, 0}, {2, 0}}, "deadlock abc"}};
  c.signatures = {"deadlock abc"};
  c.notes = {"a note"};
  c.order_pairs.push_back({{.pc = 1, .location = 2, .size = 4}, {.pc = 3, .location = 2, .size = 4}, PairKind::Modifies});
  c.uncovered = {{wire::UncoveredKind::Access, 77, "worker", "inline assembly"}};
  c.losses = 3;
  c.elapsed_s = 1.5;
  return c;
}

class InAFolder : public testing::Test {
 protected:
  InAFolder() {
    char name[] = "/tmp/heddle-checkpoint-XXXXXX";
    folder_ = mkdtemp(name);
    path_ = folder_ / "search.checkpoint";
  }
  ~InAFolder() override { fs::remove_all(folder_); }
  std::string refusal(const SearchFacts& now) const {
    Result<Checkpoint> read = read_checkpoint(path_);
    if (!read) return read.error().what;
    const Status same = check_same_search(*read, now, path_);
    return same ? "" : same.error().what;
  }
  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
  std::size_t files() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {})); }

  fs::path folder_, path_;
};

TEST_F(InAFolder, ComesBackAsItWas) {
  ASSERT_TRUE(write_checkpoint(path_, sample()).ok());
  Result<Checkpoint> read = read_checkpoint(path_);
  ASSERT_TRUE(read.ok()) << read.error().what;
  EXPECT_EQ(refusal(facts()), "");
  EXPECT_EQ(to_bytes(*read), to_bytes(sample()));
  EXPECT_EQ(files(), 1u) << "no temporary file is left";
}

TEST_F(InAFolder, ReplacesTheOneBefore) {
  Checkpoint c = sample();
  ASSERT_TRUE(write_checkpoint(path_, c).ok());
  c.losses = 99;
  ASSERT_TRUE(write_checkpoint(path_, c).ok());
  EXPECT_EQ(read_checkpoint(path_).value().losses, 99u);
}

TEST(Checkpoint, EveryBitCounts) {
  const Bytes whole = to_file(sample());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      Bytes flipped = whole;
      flipped[at] = static_cast<unsigned char>(flipped[at] ^ (1 << bit));
      EXPECT_FALSE(from_file(flipped, "x").ok()) << "bit " << bit << " of byte " << at;
    }
  }
}

TEST(Checkpoint, EveryByteIsMissed) {
  const Bytes whole = to_file(sample());
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(from_file(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)), "x").ok()) << length;
  Bytes longer = whole;
  longer.push_back(0);
  EXPECT_FALSE(from_file(longer, "x").ok());
}

TEST(Checkpoint, OneOfAnotherVersionIsNamed) {
  Bytes other = to_file(sample());
  const std::string format = "heddle checkpoint\n";
  other[format.size()] = static_cast<unsigned char>(kCheckpointVersion + 1);
  const Result<Checkpoint> read = from_file(other, "x");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().what.find("version " + std::to_string(kCheckpointVersion + 1)), std::string::npos) << read.error().what;
}

TEST_F(InAFolder, OneOfAnotherSearchIsRefusedAndTheDifferenceNamed) {
  ASSERT_TRUE(write_checkpoint(path_, sample()).ok());
  SearchFacts other = facts();
  other[0].second = "gnu:5678";
  EXPECT_NE(refusal(other).find("the program's build was gnu:1234, is gnu:5678"), std::string::npos) << refusal(other);
  other = facts();
  other[1].second = "dpor";
  EXPECT_NE(refusal(other).find("--algorithm was optimal, is dpor"), std::string::npos) << refusal(other);
  other = facts();
  other.emplace_back("--new", "1");
  EXPECT_NE(refusal(other).find("--new was not there, is 1"), std::string::npos) << refusal(other);
  other = {facts()[0]};
  EXPECT_NE(refusal(other).find("--seed was 1, is not there"), std::string::npos) << refusal(other);
}

TEST_F(InAFolder, WhatIsNoneIsRefused) {
  EXPECT_NE(refusal(facts()).find("cannot read"), std::string::npos);
  write("int main() {}");
  EXPECT_NE(refusal(facts()).find("no checkpoint"), std::string::npos);
  write("");
  EXPECT_NE(refusal(facts()).find("no checkpoint"), std::string::npos);
  path_ = folder_;
  EXPECT_NE(refusal(facts()).find("directory"), std::string::npos);
}

TEST_F(InAFolder, WhatIsNotOursIsNotOverwritten) {
  EXPECT_TRUE(check_writable(path_).ok());
  EXPECT_EQ(files(), 0u);
  write("int main() {}");
  EXPECT_FALSE(check_writable(path_).ok());
  EXPECT_FALSE(check_writable(folder_).ok());
  EXPECT_FALSE(check_writable(folder_ / "missing" / "file").ok());
  ASSERT_TRUE(write_checkpoint(folder_ / "other", sample()).ok());
  EXPECT_TRUE(check_writable(folder_ / "other").ok());
}

TEST(Checkpoint, ATrunkThatMakesNoSenseIsRefused) {
  Trunk trunk;
  const Bytes whole = trunk.save();
  ASSERT_TRUE(Trunk::restore(whole).has_value());
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(Trunk::restore(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length))).has_value()) << length;
}

}  // namespace
}  // namespace heddle
