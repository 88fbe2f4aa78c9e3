// One thread gives itself a name while another asks for it.
// EXPECT: bug assertion
// CFLAGS: -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char found[16];

static void* rename_itself(void* unused) {
  pthread_setname_np(pthread_self(), "worker");
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, rename_itself, 0);
  pthread_getname_np(t, found, sizeof found);
  pthread_join(t, 0);
  assert(strcmp(found, "worker") == 0);
  return 0;
}
