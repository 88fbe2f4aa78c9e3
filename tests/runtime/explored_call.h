// One thread makes a CALL that reads `text`, another one makes a CHANGE there. Races are no bug here, but explored: the call must
// be able to find what was there before and what the other thread has left, and it must do so when it is its turn.
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "together.h"

static char text[16] = "heddle";
static long result;

static void* caller(void* unused) {
  result = (long)(CALL);
  return unused;
}

static void* changer(void* unused) {
  CHANGE;
  return unused;
}

int main(void) {
  together(caller, changer);
  assert(!(FOUND));
  return 0;
}
