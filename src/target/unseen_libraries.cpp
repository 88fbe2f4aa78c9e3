#include "target/unseen_libraries.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "machine/own_order.h"

namespace heddle {
namespace {

// Libraries whose own atomics order nothing that a program may rely on, or nothing that is not
// seen.
constexpr std::string_view kKnown[] = {
    "libc.so",      "libpthread.so", "libdl.so",
    "librt.so",     "libutil.so",                     // what orders is a function of the runtime
    "libm.so",      "libresolv.so",  "libnss_",       // locks around tables of their own
    "libstdc++.so", "libc++.so",     "libc++abi.so",  // reference counts, and functions of pthread
    "libgcc_s.so",                                    // the unwinder's tables
    "libatomic.so",                                   // the runtime has its functions
    "ld-linux",     "linux-vdso",                     // the loader
};

bool is_known(std::string_view file_name) {
  return std::any_of(std::begin(kKnown), std::end(kKnown),
                     [&](std::string_view known) { return file_name.starts_with(known); });
}

// Reading through a library takes a while, and targets are started again and again.
bool has_atomic_instruction(const std::string& path) {
  static std::map<std::string, bool> cache;
  const auto [entry, is_new] = cache.try_emplace(path, false);
  if (is_new) entry->second = machine::has_atomic_instruction(path);
  return entry->second;
}

}  // namespace

bool may_order_unseen(const wire::Module& module) {
  const std::string path(module.path, strnlen(module.path, sizeof module.path));
  const std::string name = std::filesystem::path(path).filename().string();
  return !module.instrumented && !name.empty() && !is_known(name) && has_atomic_instruction(path);
}

void judge_modules(wire::Segment& segment) {
  const auto count = std::min<std::uint32_t>(segment.module_count, wire::kMaxModules);
  for (std::uint32_t i = 0; i < count; ++i)
    segment.modules[i].orders_unseen = may_order_unseen(segment.modules[i]);
  __atomic_store_n(&segment.modules_judged, 1, __ATOMIC_RELEASE);
}

}  // namespace heddle
