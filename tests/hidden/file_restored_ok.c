// What an execution writes, makes and removes is not there in the next one, and not on the disk.
// EXPECT: verified
// OPTIONS: --executor=auto
// EXECUTIONS: optimal=2
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "both.h"

// The file's contents.
static void contents(const char* name, char* to, int size) {
  int fd = open(name, O_RDONLY);
  long n = read(fd, to, (unsigned)size - 1);
  assert(fd >= 0 && n >= 0);
  to[n] = 0;
  close(fd);
}

static void* count(void* unused) {
  char text[16];
  contents("/tmp/../tmp/counted.tmp", text, sizeof text);
  assert(text[0] == '0' && !text[1]);
  return unused;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void* step(void* unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  assert(access("/tmp/counted.tmp", F_OK) != 0);
  FILE* f = fopen("/tmp/counted.tmp", "a");
  fputs("0", f);
  fclose(f);
  count(0);
  both(step, 0, 0);
  assert(rename("/tmp/counted.tmp", "/tmp/renamed.tmp") == 0);
  assert(access("/tmp/counted.tmp", F_OK) != 0 && access("/tmp/renamed.tmp", F_OK) == 0);
  return 0;
}
