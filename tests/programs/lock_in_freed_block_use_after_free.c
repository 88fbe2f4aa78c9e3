// The last owner frees the block in which the mutex lies, while another thread is about to lock it.
// EXPECT: bug use-after-free|data-race
// LOCATION: HERE
#include <pthread.h>
#include <stdlib.h>

struct shared {
  pthread_mutex_t mutex;
  int references;
};

static void drop(struct shared* s) {
  pthread_mutex_lock(&s->mutex);
  int last = --s->references == 0;
  pthread_mutex_unlock(&s->mutex);
  if (last) free(s);
}

static void* use(void* p) {
  struct shared* s = p;
  pthread_mutex_lock(&s->mutex);  // HERE: too late, nothing counts this thread until here
  ++s->references;
  pthread_mutex_unlock(&s->mutex);
  drop(s);
  return 0;
}

int main(void) {
  struct shared* s = malloc(sizeof *s);
  pthread_mutex_init(&s->mutex, 0);
  s->references = 1;
  pthread_t t;
  pthread_create(&t, 0, use, s);
  drop(s);
  pthread_join(t, 0);
  return 0;
}
