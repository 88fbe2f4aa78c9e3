// The bounded buffer of 003, sec. 4: PRODUCERS threads put an item each, CONSUMERS get one each.
#include <assert.h>
#ifndef SLOTS
#define SLOTS 4
#endif
#define WAIT(condition) while (condition)
#include "bounded_buffer.h"

static void* produce(void* item) {
  put((int)(long)item);
  return 0;
}

static void* consume(void* unused) {
  get();
  return unused;
}

int main(void) {
  pthread_t t[PRODUCERS + CONSUMERS];
  for (long i = 0; i < PRODUCERS; i++) pthread_create(&t[i], 0, produce, (void*)(i + 1));
  for (long i = 0; i < CONSUMERS; i++) pthread_create(&t[PRODUCERS + i], 0, consume, 0);
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++) pthread_join(t[i], 0);
  return 0;
}
