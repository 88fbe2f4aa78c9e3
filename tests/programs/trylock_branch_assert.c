// The branch of a failing trylock holds the bug. Reductions that drop that branch call this program clean.
// EXPECT: bug assertion
// LOCATION: HERE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* owner(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* visitor(void* unused) {
  if (pthread_mutex_trylock(&lock) == 0)
    pthread_mutex_unlock(&lock);
  else
    assert(!"busy");  // HERE
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, owner, 0);
  pthread_create(&b, 0, visitor, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
