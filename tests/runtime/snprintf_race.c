// Two threads print into one buffer: libc writes it on their behalf.
// EXPECT: bug data-race
// LOCATION: HERE
#include <pthread.h>
#include <stdio.h>

static char text[32];

static void* print(void* number) {
  snprintf(text, sizeof text, "%d", *(int*)number);  // HERE
  return 0;
}

int main(void) {
  int one = 1, two = 2;
  pthread_t t;
  pthread_create(&t, 0, print, &one);
  print(&two);
  pthread_join(t, 0);
  return 0;
}
