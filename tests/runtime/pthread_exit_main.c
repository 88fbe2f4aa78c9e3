// When main leaves with pthread_exit, the other threads run on, and the last one ends the program.
// EXPECT: verified
// ORACLE: native ThreadSanitizer cannot join main
#include <pthread.h>

static pthread_t main_thread;

static void* work(void* unused) {
  pthread_join(main_thread, 0);
  return unused;
}

int main(void) {
  pthread_t t;
  main_thread = pthread_self();
  pthread_create(&t, 0, work, 0);
  pthread_exit(0);
}
