// A thread that is blocked for ever, by a call that hardly ever blocks: it does not run, and it hangs. The lock on the file is held by another
// description of the same file.
// EXPECT: bug livelock
// OPTIONS: --hang-timeout=0.5
// ONLY: fork
// TIMEOUT: 60
// LOCATION: HERE
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void* lock_twice(void* unused) {
  char path[64];
  struct flock whole = {.l_type = F_WRLCK};
  int first = fileno(tmpfile());
  snprintf(path, sizeof path, "/proc/self/fd/%d", first);
  fcntl(first, F_OFD_SETLKW, &whole);
  fcntl(open(path, O_RDWR), F_OFD_SETLKW, &whole);  // HERE
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, lock_twice, 0);
  pthread_join(t, 0);
  return 0;
}
