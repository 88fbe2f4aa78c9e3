// Hundreds of locks and thousands of written pages, in every run anew: the runtime's tables of both grow while a run is under way. Seen to fail with a table of
// locks that is made larger without what was in it: locks that are held are taken again. The pages' table is only asked where states are captured (states/).
// EXPECT: verified
#include <assert.h>
#include <pthread.h>

enum { kLocks = 700, kPages = 2500, kPage = 4096 };
static pthread_mutex_t locks[kLocks];
static char pages[kPages][kPage];
static pthread_mutex_t last = PTHREAD_MUTEX_INITIALIZER;
static int threads;

static void* work(void* unused) {
  pthread_mutex_lock(&last);
  threads++;
  pthread_mutex_unlock(&last);
  return unused;
}

int main(void) {
  for (int i = 0; i < kPages; i++) assert(pages[i][7] == 0), pages[i][7] = 1;
  for (int i = 0; i < kLocks; i++) pthread_mutex_init(&locks[i], 0), pthread_mutex_lock(&locks[i]);
  for (int i = 0; i < kLocks; i++) assert(pthread_mutex_trylock(&locks[i]) != 0);
  for (int i = 0; i < kLocks; i++) pthread_mutex_unlock(&locks[i]);
  pthread_t other;
  pthread_create(&other, 0, work, 0);
  work(0);
  pthread_join(other, 0);
  assert(threads == 2);
  return 0;
}
