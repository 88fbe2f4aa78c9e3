// Arguments of all kinds, and the result, go through a call that is noted.
// EXPECT: within-bound
// UNCOVERED: call obstack_printf at
// UNCOVERED: call _obstack_begin at
#include <obstack.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

static void* print(void* unused) {
  struct obstack text;
  obstack_init(&text);
  int n = obstack_printf(&text, "%d %d %d %d %d %g %g %g %g %g %g %g %g %g %s", 1, 2, 3, 4, 5, .5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, "end");
  obstack_1grow(&text, 0);
  int right = n == 49 && !strcmp(obstack_finish(&text), "1 2 3 4 5 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5 end");
  return right ? unused : (void*)1;
}

int main(void) {
  pthread_t t;
  void* wrong = 0;
  pthread_create(&t, 0, print, 0);
  pthread_join(t, &wrong);
  return wrong != 0;
}
