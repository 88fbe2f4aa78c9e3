// Memory straight from the kernel counts as well.
// EXPECT: bug crash
// MESSAGE: out of memory
// OPTIONS: --target-memory=256M
// TIMEOUT: 60
#include <string.h>
#include <sys/mman.h>

int main(void) {
  for (;;) {
    void* block = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return 1;
    memset(block, 1, 1 << 20);
  }
}
