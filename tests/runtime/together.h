// Runs two functions in two threads, and waits for both.
#pragma once
#include <pthread.h>

static inline void together(void* (*a)(void*), void* (*b)(void*)) {
  pthread_t x, y;
  pthread_create(&x, 0, a, 0);
  pthread_create(&y, 0, b, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
}
