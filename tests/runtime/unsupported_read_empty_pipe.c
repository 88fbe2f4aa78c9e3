// A read that would block inside the kernel, where nobody can schedule: refused by name, at the program's line and not that of our own hook.
// EXPECT: unsupported
// OPTIONS: --executor=auto
// MESSAGE: (?s)\bread\b.*would block.*unsupported_read_empty_pipe\.c:\d+
#include <unistd.h>

int main(void) {
  int ends[2];
  char byte;
  if (pipe(ends)) return 1;
  return (int)read(ends[0], &byte, 1);
}
