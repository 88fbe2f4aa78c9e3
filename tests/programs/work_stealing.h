// A work-stealing deque (Chase and Lev) without growth: the owner pushes and takes at the bottom, thieves steal at the top.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long top, bottom;
static atomic_int slots[4], times_done[2];

static void push(int task) {
  long b = bottom;
  slots[b % 4] = task;
  bottom = b + 1;
}

static int take_last(long t);  // of the only task left: the owner against the thieves

static int take(void) {
  long b = bottom - 1;
  bottom = b;
  long t = top;
  if (t < b) return slots[b % 4];
  int task = t == b && take_last(t) ? slots[b % 4] : -1;
  bottom = b + 1;
  return task;
}

static int steal(void) {
  long t = top, b = bottom;
  if (t >= b) return -1;
  int task = slots[t % 4];
  return atomic_compare_exchange_strong(&top, &t, t + 1) ? task : -1;
}

static void run(int task) {
  if (task >= 0) ++times_done[task];
}

static void* thief(void* unused) {
  run(steal());
  return unused;
}

int main(void) {
  pthread_t t;
  push(0);
  push(1);
  pthread_create(&t, 0, thief, 0);
  run(take());
  run(take());
  pthread_join(t, 0);
  assert(times_done[0] == 1 && times_done[1] == 1);
  return 0;
}
