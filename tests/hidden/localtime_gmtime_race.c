// localtime() and gmtime() have the same buffer.
// EXPECT: bug data-race
// MESSAGE: the buffer of gmtime\(\) and localtime\(\)
#include <time.h>

#include "both.h"

static int year[2];

static void* work(void* local) {
  time_t zero = 0;
  year[local != 0] = (local ? localtime(&zero) : gmtime(&zero))->tm_year;
  return 0;
}

int main(void) {
  both(work, year, 0);
  return 0;
}
