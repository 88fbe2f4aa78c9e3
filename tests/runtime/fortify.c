// With _FORTIFY_SOURCE, as distributions build, the compiler calls other functions: each with what it returns, under a lock.
// EXPECT: verified
// CFLAGS: -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -Wno-cpp
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "together.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[32];

static int print(const char* format, ...) {
  va_list arguments, again, third;
  va_start(arguments, format);
  va_copy(again, arguments);
  va_copy(third, arguments);
  assert(vsnprintf(text, sizeof text, format, arguments) == 5);
  assert(vsprintf(text, format, again) == 5);
  int printed = vfprintf(stdout, format, third);
  va_end(third);
  va_end(again);
  va_end(arguments);
  return printed;
}

static void* work(void* unused) {
  pthread_mutex_lock(&lock);
  assert(print("%s %d", "abc", 7) == 5 && strcmp(text, "abc 7") == 0);
  assert(sprintf(text, "%s", "x") == 1 && snprintf(text, sizeof text, "%s", "yz") == 2 && strcmp(text, "yz") == 0);
  assert(printf("%s\n", text) == 3 && fprintf(stdout, "%s\n", text) == 3);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  together(work, work);
  return 0;
}
