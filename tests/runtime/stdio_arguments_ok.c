// The printf family prints what it should when heddle looks at its arguments.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void* print(void* unused) {
  char text[64], part[3] = {'a', 'b', 'c'};  // not terminated: the precision ends it
  assert(snprintf(text, sizeof text, "%d %s %5.1f %.3s %%", 7, "x", 2.5, part) == 15);
  assert(strcmp(text, "7 x   2.5 abc %") == 0);
  assert(snprintf(text, 4, "%s", "truncated") == 9 && strcmp(text, "tru") == 0);
  assert(sprintf(text, "%ld%c%p", 3L, 'z', (void*)0) == 7);
  printf("%1$s\n", text);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, print, 0);
  print(0);
  pthread_join(t, 0);
  return 0;
}
