// pselect may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bpselect\b.*unsupported_pselect\.c:\d+
#define _GNU_SOURCE
#include <sys/select.h>

int main(void) {
  return pselect(0, 0, 0, 0, 0, 0);
}
