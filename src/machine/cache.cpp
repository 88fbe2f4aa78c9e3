// Audits are kept in the user's cache, by a hash of the file's contents. A file of the cache is
// written beside its place and renamed; what cannot be read back whole is no answer.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <type_traits>

#include "machine/audit.h"

namespace heddle::machine {
namespace {

namespace fs = std::filesystem;

std::string contents_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::uint64_t hash_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

fs::path cache_directory() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && cache[0] == '/')
    return fs::path(cache) / "heddle";
  if (const char* home = std::getenv("HOME"); home && home[0] == '/')
    return fs::path(home) / ".cache/heddle";
  return {};
}

// A directory of the user's own that nobody else may write.
bool is_trusted(const fs::path& directory) {
  struct stat facts {};
  return lstat(directory.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) &&
         facts.st_uid == geteuid() && (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

class Writer {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(const std::string& value) {
    number<std::uint64_t>(value.size());
    bytes_ += value;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T number() {
    T value{};
    if (bytes_.size() < sizeof value) {
      failed_ = true;
      return value;
    }
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    const auto size = number<std::uint64_t>();
    if (size > bytes_.size()) failed_ = true;
    if (failed_) return "";
    std::string value(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return value;
  }
  // So many things of at least `size` bytes may follow.
  std::uint64_t count(std::uint64_t size) {
    const auto n = number<std::uint64_t>();
    if (n > bytes_.size() / size) failed_ = true;
    return failed_ ? 0 : n;
  }
  bool good() const { return !failed_ && bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

std::string to_bytes(const Audit& audit) {
  Writer to;
  to.number(kAuditVersion);
  to.number(audit.accesses);
  to.number(audit.covered);
  to.number(audit.private_ones);
  to.number<std::uint64_t>(audit.sites.size());
  for (const Site& site : audit.sites) {
    to.number(site.address);
    to.number(site.length);
    to.number(site.room);
    to.number<std::uint8_t>(site.instrumented);
  }
  to.number<std::uint64_t>(audit.gaps.size());
  for (const Gap& gap : audit.gaps) {
    to.number(gap.address);
    to.number(gap.length);
    to.text(gap.why);
  }
  std::string bytes = to.take();
  const std::uint64_t hash = hash_of(bytes);
  bytes.append(reinterpret_cast<const char*>(&hash), sizeof hash);
  return bytes;
}

std::optional<Audit> from_bytes(std::string_view bytes) {
  std::uint64_t hash = 0;
  if (bytes.size() < sizeof hash) return std::nullopt;
  std::memcpy(&hash, bytes.data() + bytes.size() - sizeof hash, sizeof hash);
  bytes.remove_suffix(sizeof hash);
  if (hash != hash_of(bytes)) return std::nullopt;
  Reader from(bytes);
  if (from.number<std::uint32_t>() != kAuditVersion) return std::nullopt;
  Audit audit;
  audit.accesses = from.number<std::uint64_t>();
  audit.covered = from.number<std::uint64_t>();
  audit.private_ones = from.number<std::uint64_t>();
  audit.sites.resize(from.count(11));
  for (Site& site : audit.sites) {
    site.address = from.number<std::uint64_t>();
    site.length = from.number<std::uint8_t>();
    site.room = from.number<std::uint8_t>();
    site.instrumented = from.number<std::uint8_t>() != 0;
  }
  audit.gaps.resize(from.count(24));
  for (Gap& gap : audit.gaps) {
    gap.address = from.number<std::uint64_t>();
    gap.length = from.number<std::uint64_t>();
    gap.why = from.text();
  }
  if (!from.good()) return std::nullopt;
  return audit;
}

// A cache that cannot be written costs time, nothing else.
void keep(const fs::path& place, const Audit& audit) {
  const fs::path scratch = fmt::format("{}.{}.tmp", place.string(), getpid());
  {
    std::ofstream file(scratch, std::ios::binary | std::ios::trunc);
    const std::string bytes = to_bytes(audit);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) {
      std::error_code error;
      fs::remove(scratch, error);
      return;
    }
  }
  std::error_code error;
  fs::rename(scratch, place, error);
  if (error) fs::remove(scratch, error);
}

}  // namespace

Result<Audit> audit_cached(const std::string& elf_path) {
  const fs::path directory = cache_directory();
  std::error_code error;
  if (!directory.empty()) {
    fs::create_directories(directory.parent_path(), error);
    mkdir(directory.c_str(), 0700);
  }
  const bool readable = fs::is_regular_file(elf_path, error);
  if (directory.empty() || !is_trusted(directory) || !readable) return audit(elf_path);
  const std::string file = contents_of(elf_path);
  const XXH128_hash_t hash = XXH3_128bits(file.data(), file.size());
  const fs::path place =
      directory / fmt::format("audit-{}-{:016x}{:016x}", kAuditVersion, hash.high64, hash.low64);
  if (std::optional<Audit> kept = from_bytes(contents_of(place))) return *std::move(kept);
  Result<Audit> made = audit(elf_path);
  if (made) keep(place, *made);
  return made;
}

}  // namespace heddle::machine
