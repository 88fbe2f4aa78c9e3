// Files that are only read do not need a fresh process: descriptors and offsets are what they were at the start of each run.
// EXPECT: verified
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "together.h"

static const char kFile[] = "/proc/self/exe";  // this program
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int early, turns;

__attribute__((constructor)) static void before_main(void) {
  char magic[2];
  early = open(kFile, O_RDONLY);
  assert(early >= 0 && read(early, magic, 2) == 2);
}

static void descriptors(void) {
  char magic[4];
  struct stat facts;
  int one = open(kFile, O_RDONLY | O_CLOEXEC), two = open(kFile, O_RDONLY);
  assert(one > early && two == one + 1);
  assert(read(one, magic, 4) == 4 && memcmp(magic, "\177ELF", 4) == 0);
  assert(pread(two, magic, 1, 1) == 1 && magic[0] == 'E');
  assert(lseek(one, 0, SEEK_CUR) == 4 && lseek(two, 0, SEEK_CUR) == 0);
  assert(fstat(one, &facts) == 0 && S_ISREG(facts.st_mode) && lseek(one, 0, SEEK_END) == facts.st_size);
  assert(read(one, magic, 1) == 0 && lseek(one, -1, SEEK_SET) == -1);
  close(one);
  assert(open(kFile, O_RDONLY) == one && read(one, magic, 2) == 2 && magic[1] == 'E');
  close(one);
  close(two);
  assert(read(two, magic, 1) == -1);
  assert(open("/there/is/none", O_RDONLY) == -1);
}

static void streams(void) {
  char magic[4];
  FILE* file = fopen(kFile, "r");
  assert(file && fread(magic, 1, 4, file) == 4 && memcmp(magic, "\177ELF", 4) == 0);
  assert(fseek(file, 1, SEEK_SET) == 0 && fgetc(file) == 'E' && ftell(file) == 2);
  fclose(file);
}

static void* work(void* unused) {
  char next;
  pthread_mutex_lock(&lock);
  assert(read(early, &next, 1) == 1 && next == (turns++ ? 'F' : 'L'));  // goes on where the constructor stopped
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  descriptors();
  streams();
  together(work, work);
  return 0;
}
