// Ordinary library functions on a thread's own memory.
// EXPECT: verified
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "together.h"

static int ascending(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void* work(void* unused) {
  int numbers[] = {3, 1, 2}, two = 2;
  char text[64], *rest;
  qsort(numbers, 3, sizeof *numbers, ascending);
  assert(numbers[0] == 1 && numbers[2] == 3);
  assert(bsearch(&two, numbers, 3, sizeof *numbers, ascending) == &numbers[1]);
  assert(snprintf(text, sizeof text, "%d %s %.2f", 7, "x", 1.5) == 8 && strcmp(text, "7 x 1.50") == 0);
  assert(strtol("0x20 rest", &rest, 0) == 32 && strcmp(rest, " rest") == 0);
  assert(sscanf("12 abc", "%d %s", &two, text) == 2 && two == 12);
  assert(isalpha('x') && toupper('x') == 'X' && atoi("99") == 99);
  assert(getenv("HEDDLE_SURELY_NOT_SET") == 0);
  return unused;
}

int main(void) {
  together(work, work);
  return 0;
}
