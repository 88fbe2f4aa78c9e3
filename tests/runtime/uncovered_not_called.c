// A function of which nobody knows what it does to memory: it is not called.
// EXPECT: verified
#include <argz.h>
#include <pthread.h>
#include <stdlib.h>

static char* list;

static void* split(void* text) {
  size_t n = 0;
  if (!text) return 0;
  if (argz_create_sep(text, ':', &list, &n)) return 0;
  return (void*)n;
}

int main(int count, char** words) {
  pthread_t t;
  void* n = 0;
  pthread_create(&t, 0, split, count > 1 ? words[1] : 0);
  pthread_join(t, &n);
  return n != 0;
}
