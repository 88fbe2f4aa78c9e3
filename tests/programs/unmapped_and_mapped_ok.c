// Pages are given back when nobody uses them any more; others stay, and new ones come.
// EXPECT: verified
#include <pthread.h>
#include <sys/mman.h>

static void* user(void* page) {
  ((char*)page)[100] = 1;
  return 0;
}

static char* map(int pages) {
  return mmap(0, 4096 * (unsigned long)pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(void) {
  for (int i = 0; i < 3; ++i) {
    char* pages = map(3);
    pthread_t a;
    pthread_create(&a, 0, user, pages + 4096);
    pages[5] = 1;
    pthread_join(a, 0);
    munmap(pages, 4096);
    pages[4096 + 100] += 1;
    munmap(pages + 4096, 8192);
    char* others = map(1);
    others[7] = 2;
    munmap(others, 4096);
  }
  return 0;
}
