// As it should be: counted before the thread starts, so that the block is freed by whoever unlocks last.
// EXPECT: verified
#include <pthread.h>
#include <stdlib.h>

struct shared {
  pthread_mutex_t mutex;
  int references;
};

static void* drop(void* p) {
  struct shared* s = p;
  pthread_mutex_lock(&s->mutex);
  int last = --s->references == 0;
  pthread_mutex_unlock(&s->mutex);
  if (last) {
    pthread_mutex_destroy(&s->mutex);
    free(s);
  }
  return 0;
}

int main(void) {
  struct shared* s = malloc(sizeof *s);
  pthread_mutex_init(&s->mutex, 0);
  s->references = 2;
  pthread_t t;
  pthread_create(&t, 0, drop, s);
  drop(s);
  pthread_join(t, 0);
  return 0;
}
