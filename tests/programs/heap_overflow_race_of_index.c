// Two threads each append with their own check of the length: together they write past the end, into the neighbour.
// EXPECT: bug heap-overflow
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kSlots = 1 };
static long* slots;
static long* neighbour;
static atomic_int length;

static void* append(void* unused) {
  if (atomic_load(&length) < kSlots) slots[atomic_fetch_add(&length, 1)] = 99;
  return unused;
}

int main(void) {
  slots = malloc(kSlots * sizeof *slots);
  neighbour = malloc(sizeof *neighbour);
  *neighbour = 1;
  pthread_t a, b;
  pthread_create(&a, 0, append, 0);
  pthread_create(&b, 0, append, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(*neighbour == 1);
  free(slots);
  free(neighbour);
  return 0;
}
