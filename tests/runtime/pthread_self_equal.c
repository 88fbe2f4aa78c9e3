// Every thread is itself and nobody else.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread, seen[2];

static void* work(void* where) {
  *(pthread_t*)where = pthread_self();
  assert(!pthread_equal(pthread_self(), main_thread));
  return 0;
}

int main(void) {
  pthread_t t[2];
  main_thread = pthread_self();
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &seen[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(pthread_equal(main_thread, pthread_self()));
  assert(pthread_equal(t[0], seen[0]) && pthread_equal(t[1], seen[1]));
  assert(!pthread_equal(seen[0], seen[1]));
  return 0;
}
