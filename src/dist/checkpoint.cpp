#include "dist/checkpoint.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/unique_fd.h"

namespace heddle {
namespace {

constexpr char kFormat[] = "heddle checkpoint\n";
constexpr std::size_t kFormatBytes = sizeof kFormat - 1;
constexpr std::size_t kMostDifferences = 4;
constexpr const char* kBeginAnew = "begin anew without --resume";

// Format, version (4 bytes), length of the body (8), checksum of version, length and body.
constexpr std::size_t kHeaderBytes = kFormatBytes + 4 + 8 + sizeof(XXH128_canonical_t);

void put_number(Bytes& to, std::uint64_t n, int bytes) {
  for (int i = 0; i < bytes; ++i) to.push_back(static_cast<unsigned char>(n >> (8 * i)));
}

std::uint64_t get_number(const unsigned char* from, int bytes) {
  std::uint64_t n = 0;
  for (int i = 0; i < bytes; ++i) n |= static_cast<std::uint64_t>(from[i]) << (8 * i);
  return n;
}

XXH128_canonical_t checksum_of(const unsigned char* numbers, const unsigned char* body, std::size_t length) {
  XXH3_state_t* state = XXH3_createState();
  XXH3_128bits_reset(state);
  XXH3_128bits_update(state, numbers, 12);
  XXH3_128bits_update(state, body, length);
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state));
  XXH3_freeState(state);
  return canonical;
}

Error damaged(const std::string& name, const char* how) { return {fmt::format("{} is damaged: {}", name, how), kBeginAnew}; }

std::string reason() { return std::strerror(errno); }

Error unwritable(const std::string& path) {
  return {fmt::format("cannot write the checkpoint {}: {}", path, reason()), "name a file in a directory that can be written"};
}

// A file under another name, that vanishes unless it is put in place.
class NewFile {
 public:
  explicit NewFile(const std::string& path) : path_(path), name_(path + ".XXXXXX"), fd_(mkstemp(name_.data())) {}
  ~NewFile() {
    if (fd_ && !placed_) unlink(name_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  bool is_there() const { return static_cast<bool>(fd_); }

  bool put_in_place(const Bytes& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t n = write(fd_.get(), bytes.data() + done, bytes.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      done += static_cast<std::size_t>(n);
    }
    if (fsync(fd_.get()) != 0 || std::rename(name_.c_str(), path_.c_str()) != 0) return false;
    placed_ = true;
    sync_directory();
    return true;
  }

 private:
  // The new name is only safe once the directory is. Where that cannot be done, the file is there all the same.
  void sync_directory() const {
    const std::string directory = std::filesystem::path(path_).parent_path().string();
    const UniqueFd fd(open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd) fsync(fd.get());
  }

  std::string path_, name_;
  UniqueFd fd_;
  bool placed_ = false;
};

Result<Bytes> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code ignored;
  if (!file || std::filesystem::is_directory(path, ignored))
    return Error{fmt::format("cannot read the checkpoint {}: {}", path, file ? "it is a directory" : reason()), "check its path"};
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

bool begins_like_one(const Bytes& bytes) {
  return bytes.size() >= kFormatBytes && std::memcmp(bytes.data(), kFormat, kFormatBytes) == 0;
}

std::string shown(const std::string& value) { return value.empty() ? "nothing" : value; }

const std::string* value_of(const SearchFacts& facts, const std::string& name) {
  const auto it = std::find_if(facts.begin(), facts.end(), [&](const auto& f) { return f.first == name; });
  return it == facts.end() ? nullptr : &it->second;
}

std::vector<std::string> differences(const SearchFacts& then, const SearchFacts& now) {
  std::vector<std::string> found;
  for (const auto& [name, value] : now) {
    const std::string* other = value_of(then, name);
    if (!other || *other != value) found.push_back(fmt::format("{} was {}, is {}", name, other ? shown(*other) : "not there", shown(value)));
  }
  for (const auto& [name, value] : then)
    if (!value_of(now, name)) found.push_back(fmt::format("{} was {}, is not there", name, shown(value)));
  if (found.size() > kMostDifferences) {
    const std::size_t more = found.size() - kMostDifferences;
    found.resize(kMostDifferences);
    found.push_back(fmt::format("{} more", more));
  }
  return found;
}

}  // namespace

Bytes to_file(const Checkpoint& checkpoint) {
  const Bytes body = to_bytes(checkpoint);
  Bytes file(kFormat, kFormat + kFormatBytes);
  put_number(file, kCheckpointVersion, 4);
  put_number(file, body.size(), 8);
  const XXH128_canonical_t sum = checksum_of(file.data() + kFormatBytes, body.data(), body.size());
  file.insert(file.end(), sum.digest, sum.digest + sizeof sum.digest);
  file.insert(file.end(), body.begin(), body.end());
  return file;
}

Result<Checkpoint> from_file(const Bytes& bytes, const std::string& name) {
  if (!begins_like_one(bytes)) return Error{fmt::format("{} is no checkpoint of heddle", name), "name the file that --checkpoint wrote"};
  if (bytes.size() < kHeaderBytes) return damaged(name, "its end is missing");
  const unsigned char* numbers = bytes.data() + kFormatBytes;
  const std::uint64_t version = get_number(numbers, 4);
  if (version != kCheckpointVersion)
    return Error{fmt::format("{} is a checkpoint of version {}; this heddle reads version {}", name, version, kCheckpointVersion),
                 "go on with the heddle that wrote it, or begin anew without --resume"};
  const std::uint64_t length = get_number(numbers + 4, 8);
  if (bytes.size() - kHeaderBytes < length) return damaged(name, "its end is missing");
  if (bytes.size() - kHeaderBytes > length) return damaged(name, "it is too long");
  const unsigned char* body = bytes.data() + kHeaderBytes;
  const XXH128_canonical_t sum = checksum_of(numbers, body, length);
  if (std::memcmp(numbers + 12, sum.digest, sizeof sum.digest) != 0) return damaged(name, "its checksum is wrong");
  std::optional<Checkpoint> checkpoint = from_bytes<Checkpoint>(Bytes(body, body + length));
  if (!checkpoint) return damaged(name, "it makes no sense");
  return std::move(*checkpoint);
}

Status check_writable(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) == 0) {
    if (!S_ISREG(facts.st_mode)) return Error{fmt::format("cannot write the checkpoint {}: it is no regular file", path), "name another file"};
    Result<Bytes> bytes = bytes_of(path);
    if (!bytes) return bytes.error();
    if (!bytes->empty() && !begins_like_one(*bytes))
      return Error{fmt::format("{} exists and is no checkpoint: it is not overwritten", path), "name another file for --checkpoint"};
  }
  if (!NewFile(path).is_there()) return unwritable(path);
  return Nothing{};
}

Status write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  NewFile file(path);
  if (!file.is_there() || !file.put_in_place(to_file(checkpoint))) return unwritable(path);
  return Nothing{};
}

Result<Checkpoint> read_checkpoint(const std::string& path) {
  Result<Bytes> bytes = bytes_of(path);
  if (!bytes) return bytes.error();
  return from_file(*bytes, path);
}

Status check_same_search(const Checkpoint& checkpoint, const SearchFacts& facts, const std::string& name) {
  const std::vector<std::string> found = differences(checkpoint.facts, facts);
  if (found.empty()) return Nothing{};
  return Error{fmt::format("{} is a checkpoint of another search: {}", name, fmt::join(found, "; ")),
               "use the program and the options that it was written with, or begin anew without --resume"};
}

}  // namespace heddle
