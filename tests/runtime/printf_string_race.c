// A string that printf reads while another thread changes it, behind arguments of all kinds.
// EXPECT: bug data-race
// LOCATION: HERE
#include <pthread.h>
#include <stdio.h>

static char name[16] = "nobody";

static void* rename_it(void* unused) {
  name[0] = 'N';
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, rename_it, 0);
  printf("%5d %-*ld %.2f %Lg %c %s\n", 1, 4, 2L, 0.5, 1.5L, 'c', name);  // HERE
  pthread_join(t, 0);
  return 0;
}
