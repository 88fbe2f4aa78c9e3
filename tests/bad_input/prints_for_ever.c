// Prints without end: a hang like any other. What it prints is kept in memory, but not more and more of it (that would be found
// as out of memory here).
// EXPECT: bug livelock
// OPTIONS: --hang-timeout=1 --target-memory=128M
// TIMEOUT: 60
#include <stdio.h>
#include <string.h>

int main(void) {
  static char line[1 << 20];
  memset(line, 'x', sizeof line - 1);
  for (;;) puts(line);
}
