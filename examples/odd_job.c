/* Data can be explored as schedules are: heddle_choose(n) takes each of 0 .. n-1 in turn.
 *
 *   ./heddle check examples/odd_job.c
 *
 * Two workers hand in their share of a job of a chosen size; the shares must always add up. They do not for an odd one. */
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int job;
static atomic_int done;

static void *worker(void *unused) {
  atomic_fetch_add(&done, job / 2); /* bug: the last piece of an odd job is nobody's */
  return unused;
}

int main(void) {
  job = heddle_choose(4);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(atomic_load(&done) == job);
  return 0;
}
