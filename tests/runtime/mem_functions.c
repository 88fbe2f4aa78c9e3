// Memory and string functions do what they say, and threads may use them on memory of their own.
// EXPECT: verified
// CFLAGS: -fno-builtin
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <strings.h>

#include "together.h"

static void* work(void* unused) {
  char a[32], b[32];
  memset(a, 'x', sizeof a);
  assert(a[0] == 'x' && a[31] == 'x');
  assert(strcpy(a, "heddle") == a && strlen(a) == 6);
  assert(memcpy(b, a, 7) == b && strcmp(a, b) == 0 && memcmp(a, b, 7) == 0);
  memmove(a + 1, a, 7);
  assert(strcmp(a, "hheddle") == 0);
  memmove(a, a + 1, 7);
  assert(strcmp(a, "heddle") == 0);
  assert(strchr(a, 'd') == a + 2 && strrchr(a, 'd') == a + 3 && strchr(a, 'q') == 0);
  assert(strstr(a, "ddl") == a + 2 && memchr(a, 'l', 7) == a + 4);
  assert(strcmp(strcat(a, "s"), "heddles") == 0 && strncmp(a, b, 6) == 0 && strcmp(a, b) > 0);
  assert(strcmp(strncat(b, "xyz", 1), "heddlex") == 0);
  strncpy(b, "ab", 5);
  assert(b[2] == 0 && b[4] == 0 && b[5] == 'e');
  assert(strcasecmp("AbC", "aBc") == 0 && strnlen("abc", 2) == 2);
  return unused;
}

int main(void) {
  together(work, work);
  return 0;
}
