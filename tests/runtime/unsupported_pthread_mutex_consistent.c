// pthread_mutex_consistent may block or start something that nobody can schedule: refused by name and place.
// EXPECT: unsupported
// MESSAGE: (?s)\bpthread_mutex_consistent\b.*unsupported_pthread_mutex_consistent\.c:\d+
#define _GNU_SOURCE
#include <pthread.h>

int main(void) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  return pthread_mutex_consistent(&lock);
}
