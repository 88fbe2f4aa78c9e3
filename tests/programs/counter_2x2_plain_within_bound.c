// The same with plain accesses, as the papers explore them: every access a scheduling point, races not reported. A program
// with ignored races is never called verified.
// EXPECT: within-bound
// OPTIONS: --races=ignore --visible=all
// EXECUTIONS: optimal=34
#include <assert.h>
#include <pthread.h>

static volatile int x;

static void* count(void* unused) {
  (void)unused;
  x++;
  x++;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, count, 0);
  pthread_create(&b, 0, count, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(2 <= x && x <= 4);
  return 0;
}
