// With _FORTIFY_SOURCE, as distributions build, the compiler calls other functions (__snprintf_chk, __printf_chk): they count as well.
// EXPECT: bug data-race
// CFLAGS: -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -Wno-cpp
// LOCATION: HERE
#include <stdio.h>

#include "together.h"

static char text[32];

static void* work(void* number) {
  snprintf(text, sizeof text, "%d", number != 0);  // HERE
  return 0;
}

int main(void) {
  together(work, work);
  return 0;
}
