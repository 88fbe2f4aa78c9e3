#include "runtime/exempt.h"

#include <dlfcn.h>
#include <link.h>

__attribute__((visibility("default"))) bool heddle_streams_synchronised = true;

namespace heddle::rt {

Exempt exempt;

namespace {

// The layout of these objects is part of libstdc++'s ABI.
constexpr uint64_t kInputSize = 280, kOutputSize = 272;
struct Stream {
  const char* symbol;
  uint64_t size;
};
constexpr Stream kAll[Exempt::kStreams] = {
    {"_ZSt3cin", kInputSize},    {"_ZSt4cout", kOutputSize}, {"_ZSt4cerr", kOutputSize},
    {"_ZSt4clog", kOutputSize},  {"_ZSt4wcin", kInputSize},  {"_ZSt5wcout", kOutputSize},
    {"_ZSt5wcerr", kOutputSize}, {"_ZSt5wclog", kOutputSize}};

bool is_cxx_library(const char* path) {
  constexpr char kName[] = "/libstdc++.so";
  constexpr uint64_t kLength = sizeof kName - 1;
  for (uint64_t n = length_of(path); n >= kLength; --n)
    if (heddle_rt_memcmp(path + n - kLength, kName, kLength) == 0) return true;
  return false;
}

void extend(MemoryRange& range, const MemoryRange& part) {
  if (range.low == range.high) range = part;
  if (part.low < range.low) range.low = part.low;
  if (part.high > range.high) range.high = part.high;
}

// Of the program itself, which is visited first: up to its first segment that can be written.
int find_constants(dl_phdr_info* module, size_t, void*) {
  uint64_t low = ~0ULL, high = ~0ULL;
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = module->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const uint64_t begin = module->dlpi_addr + part.p_vaddr;
    uint64_t& least = part.p_flags & PF_W ? high : low;
    if (begin < least) least = begin;
  }
  if (low < high && high != ~0ULL) exempt.constants = {low, high};
  return 1;
}

}  // namespace

void find_exempt() {
  exempt = {};
  dl_iterate_phdr(find_constants, nullptr);
  const wire::Segment& s = *R().segment;
  for (uint32_t i = 1; i < s.module_count; ++i)
    if (is_cxx_library(s.modules[i].path)) exempt.library = {s.modules[i].begin, s.modules[i].end};
  if (exempt.library.low == exempt.library.high) return;
  for (int i = 0; i < Exempt::kStreams; ++i) {
    auto at = reinterpret_cast<uint64_t>(dlsym(RTLD_DEFAULT, kAll[i].symbol));
    if (!at) continue;
    exempt.stream[i] = {at, at + kAll[i].size};
    if (!within(exempt.library, at)) extend(exempt.streams, exempt.stream[i]);
  }
}

bool is_standard_stream(uint64_t address) {
  for (const MemoryRange& stream : exempt.stream)
    if (within(stream, address)) return true;
  return false;
}

}  // namespace heddle::rt
