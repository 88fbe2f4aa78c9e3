// One thread changes the locale while another formats a time with it.
// EXPECT: bug data-race
// MESSAGE: the locale
#include <locale.h>
#include <time.h>

#include "both.h"

static void* work(void* sets) {
  char text[32];
  struct tm day = {.tm_mday = 1};
  if (sets) setlocale(LC_ALL, "C");
  else strftime(text, sizeof text, "%a", &day);
  return 0;
}

int main(void) {
  both(work, "", 0);
  return 0;
}
