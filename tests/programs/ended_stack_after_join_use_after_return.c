// A thread returns the address of its own variable, and whoever joins it reads that.
// EXPECT: bug use-after-return
// MESSAGE: read of 8 bytes by main to memory of thread 1, which has ended
// LOCATION: HERE
#include <pthread.h>

static void* owner(void* unused) {
  volatile long result = unused ? 1 : 2;
  volatile long* volatile where = &result;
  return (void*)where;
}

int main(void) {
  pthread_t a;
  void* result;
  pthread_create(&a, 0, owner, 0);
  pthread_join(a, &result);
  return *(volatile long*)result == 3;  // HERE
}
