// quick_exit runs its own handlers only.
// EXPECT: verified
#include <stdlib.h>
#include <unistd.h>

static void other(void) { abort(); }
static void handler(void) { _exit(0); }

int main(void) {
  atexit(other);
  at_quick_exit(handler);
  quick_exit(1);
}
