// Addresses of locals are the same in each run: what depends on them is no nondeterminism.
// EXPECT: verified
// ORACLE: none chooses
#include <stdint.h>

int heddle_choose(int);

int main(void) {
  int local;
  heddle_choose(1 + (int)((uintptr_t)&local / 16 % 64));  // so many alternatives, in every run that begins so
  heddle_choose(2);
  return 0;
}
