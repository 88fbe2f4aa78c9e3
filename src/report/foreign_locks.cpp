#include "report/foreign_locks.h"

#include <sys/syscall.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace heddle {
namespace {

using namespace std::string_view_literals;

// Far enough to set the other registers of a system call, and too near for much else.
constexpr std::size_t kNear = 24;

bool is_known(std::string_view file_name) {
  constexpr std::string_view kKnown[] = {"libc.so", "libpthread.so", "libm.so", "libstdc++.so", "libc++.so", "libc++abi.so", "libgcc_s.so", "ld-linux", "linux-vdso"};
  return std::any_of(std::begin(kKnown), std::end(kKnown), [&](std::string_view known) { return file_name.starts_with(known); });
}

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

// The number of the call goes into edi for syscall(), into eax for the kernel.
bool calls_futex(std::string_view code, bool has_syscall_function) {
#if defined(__x86_64__)
  static_assert(SYS_futex == 0xca);
  if (has_syscall_function && code.find("\xbf\xca\0\0\0"sv) != code.npos) return true;
  for (std::size_t at = 0; (at = code.find("\xb8\xca\0\0\0"sv, at)) != code.npos; ++at)
    if (code.substr(at + 5, kNear).find("\x0f\x05"sv) != code.npos) return true;
#endif
  return false;
}

std::vector<std::string> libraries_with_own_locks(const std::vector<wire::Module>& modules) {
  std::vector<std::string> names;
  for (const wire::Module& module : modules) {
    const std::string name = std::filesystem::path(module.path).filename().string();
    if (module.instrumented || name.empty() || is_known(name)) continue;
    const std::string file = contents_of(module.path);
    if (calls_futex(file, file.find("\0syscall\0"sv) != file.npos)) names.push_back(name);
  }
  return names;
}

}  // namespace heddle
