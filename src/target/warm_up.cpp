#include "target/warm_up.h"

#include <link.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace heddle {
namespace {

constexpr int kPopulateRead = 22;  // MADV_POPULATE_READ: Linux 5.14
constexpr std::uint64_t kPage = 4096;

void map(std::uint64_t begin, std::uint64_t end) {
  begin &= ~(kPage - 1);
  end = (end + kPage - 1) & ~(kPage - 1);
  madvise(reinterpret_cast<void*>(begin), end - begin, kPopulateRead);
}

// The program itself comes first; the libraries are large and little of them is used.
int map_program(dl_phdr_info* info, std::size_t, void*) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    if (part.p_type == PT_LOAD && (part.p_flags & PF_W) == 0)
      map(info->dlpi_addr + part.p_vaddr, info->dlpi_addr + part.p_vaddr + part.p_memsz);
  }
  return 1;
}

// Less than malloc gives back to the kernel when it is freed, or maps on its own.
void touch_heap() {
  constexpr std::size_t kBytes = 96 << 10;
  auto* bytes = static_cast<volatile char*>(std::malloc(kBytes));
  if (bytes == nullptr) return;
  for (std::size_t at = 0; at < kBytes; at += kPage) bytes[at] = 0;
  std::free(const_cast<char*>(bytes));
}

bool do_it() {
  dl_iterate_phdr(map_program, nullptr);
  touch_heap();
  return true;
}

}  // namespace

void warm_up() {
  static const bool done = do_it();
  (void)done;
}

}  // namespace heddle
