#include "replay/build_id.h"

#include <cerrno>
#include <cstring>
#include <memory>

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <libelf.h>
#include <unistd.h>
#include <xxhash.h>

namespace heddle {
namespace {

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

Error cannot_read(const std::string& path) {
  return Error{fmt::format("cannot read {}: {}", path, std::strerror(errno)), "check that the file exists and is readable"};
}

std::string hex(const void* bytes, std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += fmt::format("{:02x}", static_cast<const unsigned char*>(bytes)[i]);
  return text;
}

std::string gnu_build_id(int fd) {
  elf_version(EV_CURRENT);
  std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(fd, ELF_C_READ_MMAP, nullptr), elf_end);
  const void* bytes = nullptr;
  const ssize_t size = elf ? dwelf_elf_gnu_build_id(elf.get(), &bytes) : 0;
  return size > 0 ? hex(bytes, static_cast<std::size_t>(size)) : "";
}

}  // namespace

Result<std::string> build_id(const std::string& path) {
  Descriptor file(path);
  if (file.get() < 0) return cannot_read(path);
  if (std::string id = gnu_build_id(file.get()); !id.empty()) return "gnu:" + id;
  return file_hash(path);
}

Result<std::string> file_hash(const std::string& path) {
  Descriptor file(path);
  if (file.get() < 0) return cannot_read(path);
  std::unique_ptr<XXH64_state_t, XXH_errorcode (*)(XXH64_state_t*)> state(XXH64_createState(), XXH64_freeState);
  XXH64_reset(state.get(), 0);
  char buffer[65536];
  ssize_t got = 0;
  while ((got = read(file.get(), buffer, sizeof buffer)) > 0) XXH64_update(state.get(), buffer, static_cast<std::size_t>(got));
  if (got < 0) return cannot_read(path);
  return fmt::format("xxh64:{:016x}", XXH64_digest(state.get()));
}

}  // namespace heddle
