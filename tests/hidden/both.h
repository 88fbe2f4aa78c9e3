// Runs a function in two threads, with another argument each, and waits for both.
#pragma once
#include <pthread.h>

static inline void both(void* (*work)(void*), void* a, void* b) {
  pthread_t x, y;
  pthread_create(&x, 0, work, a);
  pthread_create(&y, 0, work, b);
  pthread_join(x, 0);
  pthread_join(y, 0);
}
