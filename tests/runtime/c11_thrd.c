// C11: thrd_create, thrd_join with its result, thrd_current, thrd_equal, thrd_exit, thrd_yield.
// EXPECT: verified
// ORACLE: native the ThreadSanitizer of this compiler does not know C11 threads
#include <assert.h>
#include <threads.h>

static thrd_t main_thread;
static int value;

static int work(void* argument) {
  assert(!thrd_equal(thrd_current(), main_thread));
  *(int*)argument = 42;
  thrd_yield();
  thrd_exit(7);
}

int main(void) {
  thrd_t t;
  int result;
  main_thread = thrd_current();
  assert(thrd_create(&t, work, &value) == thrd_success);
  assert(thrd_join(t, &result) == thrd_success);
  assert(result == 7 && value == 42);
  return 0;
}
