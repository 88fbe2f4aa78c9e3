// A program that closes every descriptor it can think of, the tool's included.
// EXPECT: verified
// OPTIONS: --executor=auto
#include <unistd.h>

int main(void) {
  for (int fd = 3; fd < 1024; fd++) close(fd);
  return 0;
}
