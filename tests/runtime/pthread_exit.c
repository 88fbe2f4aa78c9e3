// pthread_exit ends the thread from deep inside, with a result.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>

static int value;

static void leave(void) { pthread_exit(&value); }

static void* work(void* unused) {
  leave();
  assert(!"still here");
  return unused;
}

int main(void) {
  pthread_t t;
  void* result;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, &result);
  assert(result == &value);
  return 0;
}
