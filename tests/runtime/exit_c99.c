// _Exit ends the program without handlers.
// EXPECT: verified
#include <stdlib.h>

static void handler(void) { abort(); }

int main(void) {
  atexit(handler);
  _Exit(0);
}
