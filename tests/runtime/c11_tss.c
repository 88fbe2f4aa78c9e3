// C11: thread-specific storage with a destructor.
// EXPECT: verified
// ORACLE: native the ThreadSanitizer of this compiler does not know C11 threads
#include <assert.h>
#include <threads.h>

static tss_t key;
static int destroyed;

static void destroy(void* value) { *(int*)value = 1; }

static int work(void* unused) {
  (void)unused;
  assert(tss_get(key) == 0);
  assert(tss_set(key, &destroyed) == thrd_success);
  assert(tss_get(key) == &destroyed);
  return 0;
}

int main(void) {
  thrd_t t;
  assert(tss_create(&key, destroy) == thrd_success);
  thrd_create(&t, work, 0);
  thrd_join(t, 0);
  assert(destroyed == 1 && tss_get(key) == 0);
  tss_delete(key);
  return 0;
}
