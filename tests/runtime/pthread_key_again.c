// A destructor that sets the value again is called again, in another round; the value is null when it runs.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int rounds;

static void destroy(void* value) {
  assert(pthread_getspecific(key) == 0);
  if (++rounds < 3) pthread_setspecific(key, value);
}

static void* work(void* unused) {
  pthread_setspecific(key, &rounds);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, destroy);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  assert(rounds == 3);
  return 0;
}
