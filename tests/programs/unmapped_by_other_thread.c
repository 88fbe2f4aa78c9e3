// One thread writes to a page, another one gives it back, and nothing orders the two.
// EXPECT: bug use-after-free|data-race|crash
#include <pthread.h>
#include <sys/mman.h>

static char* page;

static void* user(void* unused) {
  page[100] = 1;
  return unused;
}

int main(void) {
  page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_t a;
  pthread_create(&a, 0, user, 0);
  munmap(page, 8192);
  pthread_join(a, 0);
  return 0;
}
