// A system call of which nobody knows what it does to memory is named.
// EXPECT: within-bound
// UNCOVERED: call syscall getxattr at .*uncovered_system_call\.c:13
// ONLY: fork
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static char value[8];

static void* ask(void* unused) {
  syscall(SYS_getxattr, "/nowhere", "user.none", value, sizeof value);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, ask, 0);
  pthread_join(t, 0);
  return 0;
}
