// A read-modify-write by a third thread continues the release sequence: the reader still synchronises with its head.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void* writer(void* unused) {
  data = 42;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

static void* middle(void* unused) {
  int one = 1;
  atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_relaxed, memory_order_relaxed);
  return unused;
}

static void* reader(void* unused) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2) assert(data == 42);
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, writer, 0);
  pthread_create(&t[1], 0, middle, 0);
  pthread_create(&t[2], 0, reader, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
