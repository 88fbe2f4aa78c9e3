// A program that allocates until there is no more: malloc says so in the end, and the machine is not harmed.
// EXPECT: verified
// ORACLE: none takes all memory there is
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 1 << 20; i++) {
    if (!malloc(64 << 20)) return 0;  // never touched
  }
  return 1;
}
