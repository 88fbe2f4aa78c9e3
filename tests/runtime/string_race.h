// One thread makes a CALL of a string or memory function on `shared`, another writes there: one race. `other` is the caller's own.
#define _GNU_SOURCE
#include <string.h>

#include "together.h"

static char shared[64] = "heddle", other[64] = "shuttle";
static volatile long sink;

static void* caller(void* unused) {
  sink = (long)(CALL);
  (void)other;
  return unused;
}

static void* writer(void* unused) {
  shared[3] = 'x';
  return unused;
}

int main(void) {
  together(caller, writer);
  return 0;
}
