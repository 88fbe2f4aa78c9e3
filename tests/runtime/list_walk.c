// A thread walks a list whose next node is nowhere but in the argument of its next load: it does not come back to where it was, and does not wait. Seen to fail (a livelock, with
// gcc -O1 and -O2) when addresses were left out of what a thread is compared by.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <pthread.h>
#include <stdatomic.h>

struct node {
  struct node *_Atomic next;
};
static struct node nodes[4];

static void *walks(void *first) {
  struct node *at = first;
  while (at) at = atomic_load(&at->next);
  return 0;
}

int main(void) {
  for (int i = 0; i < 3; ++i) atomic_store(&nodes[i].next, &nodes[i + 1]);
  pthread_t thread;
  pthread_create(&thread, 0, walks, &nodes[0]);
  pthread_join(thread, 0);
  return 0;
}
