// A status other than zero is reported.
// EXPECT: bug uncaught-exit
#include <stdlib.h>

int main(void) { exit(3); }
