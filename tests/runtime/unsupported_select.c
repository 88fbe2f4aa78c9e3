// select may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// OPTIONS: --executor=auto
// MESSAGE: (?s)\bselect\b.*unsupported_select\.c:\d+
#define _GNU_SOURCE
#include <sys/select.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  if (pipe(ends)) return 1;
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  return select(ends[0] + 1, &set, 0, 0, 0) < 0;
}
