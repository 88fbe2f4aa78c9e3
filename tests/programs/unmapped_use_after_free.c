// A page is used after it was given back: the order makes no difference.
// EXPECT: bug use-after-free|crash
// LOCATION: HERE
#include <sys/mman.h>

int main(void) {
  volatile int* p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap((void*)p, 4096);
  *p = 1;  // HERE
  return 0;
}
