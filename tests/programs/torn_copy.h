// One thread copies a struct that another one fills: COPY(to, from). The copy may be torn between any two words.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct pair {
  long word[WORDS];
};
static struct pair source, target;

static void* fill(void* unused) {
  source.word[0] = 1;
  source.word[WORDS - 1] = 1;
  return unused;
}

static void* copy(void* unused) {
  COPY(target, source);
  assert(!(target.word[0] == 0 && target.word[WORDS - 1] == 1));
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, fill, 0);
  pthread_create(&b, 0, copy, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
