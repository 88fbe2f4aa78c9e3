// _exit ends the program without handlers.
// EXPECT: verified
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static void handler(void) { abort(); }

int main(void) {
  atexit(handler);
  _exit(0);
}
