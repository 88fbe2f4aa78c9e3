// A write one element past a block, across threads.
// EXPECT: bug heap-overflow
// LOCATION: HERE
#include <pthread.h>
#include <stdlib.h>

static void* fill(void* p) {
  int* block = p;
  for (int i = 0; i <= 4; i++) block[i] = i;  // HERE
  return 0;
}

int main(void) {
  int* block = malloc(4 * sizeof *block);
  int* next = malloc(4 * sizeof *next);
  pthread_t t;
  pthread_create(&t, 0, fill, block);
  pthread_join(t, 0);
  free(block);
  free(next);
  return 0;
}
