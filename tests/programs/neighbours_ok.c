// Neighbouring bytes of one word, one a thread: no race.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <assert.h>
#include <pthread.h>

static struct {
  char a, b;
  short c;
} shared;

static void* set_a(void* unused) {
  shared.a = 1;
  return unused;
}
static void* set_b(void* unused) {
  shared.b = 2;
  return unused;
}
static void* set_c(void* unused) {
  shared.c = 3;
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, set_a, 0);
  pthread_create(&t[1], 0, set_b, 0);
  pthread_create(&t[2], 0, set_c, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(shared.a == 1 && shared.b == 2 && shared.c == 3);
  return 0;
}
