// A string that vfprintf reads while another thread changes it.
// EXPECT: bug data-race
// LOCATION: HERE
#include <stdarg.h>
#include <stdio.h>

#include "together.h"

static char name[16] = "nobody";

static void say(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stdout, format, arguments);  // HERE
  va_end(arguments);
}

static void* caller(void* unused) {
  say("%d %s\n", 1, name);
  return unused;
}

static void* writer(void* unused) {
  name[0] = 'N';
  return unused;
}

int main(void) {
  together(caller, writer);
  return 0;
}
