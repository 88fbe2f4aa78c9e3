// Two producers and two consumers of a bounded buffer, one item each.
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
  pthread_t t[4];
  pthread_create(&t[0], 0, produce, (void*)1L);
  pthread_create(&t[1], 0, produce, (void*)2L);
  pthread_create(&t[2], 0, consume, 0);
  pthread_create(&t[3], 0, consume, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
