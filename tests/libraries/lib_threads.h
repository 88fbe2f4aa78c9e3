// A library that makes the threads. Between start and end, the program does BETWEEN; after the end, AFTER.
#include <assert.h>
#include <pthread.h>
void lib_start(void (*work)(int));
void lib_end(void);
#ifdef LIBRARY
static pthread_t threads[2];
static void (*function)(int);
static void* run(void* number) {
  function((int)(long)number);
  return 0;
}
void lib_start(void (*work)(int)) {
  function = work;
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], 0, run, (void*)i);
}
void lib_end(void) {
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}
#else
static int done[2], shared;
static void work(int number) {
  done[number] = 1;
  WORK;
}
int main(void) {
  lib_start(work);
  BETWEEN;
  lib_end();
  assert(done[0] && done[1]);
  return shared > 2;
}
#endif
