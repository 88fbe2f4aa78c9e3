// Two threads print into one buffer with vsnprintf.
// EXPECT: bug data-race
// LOCATION: HERE
#include <stdarg.h>
#include <stdio.h>

#include "together.h"

static char text[32];

static void print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);  // HERE
  va_end(arguments);
}

static void* work(void* unused) {
  print("%d", 7);
  return unused;
}

int main(void) {
  together(work, work);
  return 0;
}
