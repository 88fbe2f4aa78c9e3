// A constructor ends the program before main: there is nothing to explore.
// EXPECT: error 2
// MESSAGE: before main
#include <unistd.h>

__attribute__((constructor)) static void leave(void) { _exit(0); }

int main(void) { return 0; }
