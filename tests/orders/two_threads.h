// Two threads that run beside each other; main waits for both.
#pragma once
#include <pthread.h>
#include <stdatomic.h>

static inline void beside_each_other(void* (*first)(void*), void* (*second)(void*)) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}

#define LOAD(x, order) atomic_load_explicit(&(x), memory_order_##order)
#define STORE(x, v, order) atomic_store_explicit(&(x), v, memory_order_##order)
#define ADD(x, v, order) atomic_fetch_add_explicit(&(x), v, memory_order_##order)
