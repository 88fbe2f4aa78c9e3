// strcasecmp, strncasecmp and strstr read no further than what decides their result: what lies behind is not theirs. (Seen to fail when they
// counted the whole strings.)
// EXPECT: verified
// CFLAGS: -fno-builtin
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>

#include "together.h"

static char shared[64] = "heddle and more";

static void* caller(void* unused) {
  assert(strcasecmp(shared, "HEDGE") < 0);
  assert(strncasecmp(shared, "HEDGE", 5) < 0);
  assert(strncasecmp(shared, "HEDDLE", 6) == 0);
  assert(strncasecmp(shared, "anything", 0) == 0);
  assert(strstr(shared, "ddle") == shared + 2);
  return unused;
}

static void* writer(void* unused) {
  shared[6] = 'x';
  return unused;
}

int main(void) {
  together(caller, writer);
  return 0;
}
