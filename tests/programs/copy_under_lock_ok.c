// Copies under a lock are never torn.
// EXPECT: verified
// OPTIONS: --visible=all
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct four {
  long word[4];
};
static struct four shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* write_all(void* number) {
  struct four mine;
  memset(&mine, (int)(long)number, sizeof mine);
  pthread_mutex_lock(&lock);
  shared = mine;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, write_all, (void*)1);
  pthread_create(&b, 0, write_all, (void*)2);
  pthread_mutex_lock(&lock);
  struct four copy = shared;
  pthread_mutex_unlock(&lock);
  assert(copy.word[0] == copy.word[3]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return memcmp(&copy.word[0], &copy.word[3], sizeof(long)) != 0;
}
