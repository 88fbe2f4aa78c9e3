// A bounded buffer with two producers and two consumers: one mutex, two condition variables.
#include <pthread.h>

#ifndef ITEMS
#define ITEMS 1
#endif
enum { kSize = 2, kItems = ITEMS };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[kSize], count, head, tail;

static void *produces(void *item) {
  for (int i = 0; i < kItems; ++i) {
    pthread_mutex_lock(&mutex);
    while (count == kSize) pthread_cond_wait(&not_full, &mutex);
    buffer[tail] = (int)(long)item;
    tail = (tail + 1) % kSize;
    ++count;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

static void *consumes(void *unused) {
  for (int i = 0; i < kItems; ++i) {
    pthread_mutex_lock(&mutex);
    while (count == 0) pthread_cond_wait(&not_empty, &mutex);
    buffer[head] = 0;
    head = (head + 1) % kSize;
    --count;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (long t = 0; t < 4; ++t) pthread_create(&threads[t], 0, t % 2 ? consumes : produces, (void *)1);
  for (int t = 0; t < 4; ++t) pthread_join(threads[t], 0);
}
