// stat, lstat, access, getcwd: questions about files by name are answered, also where nothing may be left in the kernel.
// EXPECT: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "together.h"

static void* ask(void* unused) {
  struct stat facts, again;
  assert(stat("/etc/passwd", &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0);
  assert(fstatat(AT_FDCWD, "/etc/passwd", &again, 0) == 0 && memcmp(&facts, &again, sizeof facts) == 0);
  assert(lstat("/proc/self/exe", &facts) == 0 && S_ISLNK(facts.st_mode));
  assert(stat("/proc/self/exe", &facts) == 0 && S_ISREG(facts.st_mode));
  assert(stat("/no/such/file", &facts) == -1 && errno == ENOENT);
  assert(access("/etc/passwd", R_OK) == 0);
  assert(access("/no/such/file", F_OK) == -1 && errno == ENOENT);
  assert(faccessat(AT_FDCWD, "/", X_OK, AT_EACCESS) == 0);
  char here[4096];
  assert(getcwd(here, sizeof here) == here && here[0] == '/');
  return unused;
}

int main(void) {
  together(ask, ask);
  return 0;
}
