// N dining philosophers, one meal each. LEFT_FIRST: everybody takes the left fork first, which can deadlock; otherwise
// everybody takes the fork with the lower number first, which cannot. Without deadlock the meals of neighbours can be
// ordered in as many ways as a ring of N has acyclic orientations: 2^N - 2.
#include <pthread.h>

static pthread_mutex_t fork_of[N];
static int meals[N];  // meals[i] is written by philosopher i only, under both forks

static void* philosopher(void* argument) {
  int i = (int)(long)argument;
  int first = i, second = (i + 1) % N;
#ifndef LEFT_FIRST
  if (second < first) {
    first = second;
    second = i;
  }
#endif
  pthread_mutex_lock(&fork_of[first]);
  pthread_mutex_lock(&fork_of[second]);
  meals[i]++;
  pthread_mutex_unlock(&fork_of[second]);
  pthread_mutex_unlock(&fork_of[first]);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_mutex_init(&fork_of[i], 0);
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, philosopher, (void*)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  for (int i = 0; i < N; i++)
    if (meals[i] != 1) __builtin_abort();
  return 0;
}
