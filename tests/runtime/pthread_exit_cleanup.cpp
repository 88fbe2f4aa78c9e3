// pthread_exit runs cleanup handlers and destructors of the frames it leaves.
// EXPECT: verified
#include <pthread.h>

#include <cassert>

static int steps;

struct Guard {
  ~Guard() { assert(++steps == 2); }
};

static void cleanup(void*) { assert(++steps == 1); }

static void* work(void*) {
  Guard guard;
  pthread_cleanup_push(cleanup, nullptr);
  pthread_exit(nullptr);
  pthread_cleanup_pop(0);
  return nullptr;
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, work, nullptr);
  pthread_join(t, nullptr);
  assert(steps == 2);
}
