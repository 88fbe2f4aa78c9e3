// A function with more branches behind an access than anybody cares to follow: which of its registers are alive stays open, and nothing else
// does. (Once the list of places that were followed ran over, and the run went on somewhere in the program: seen to crash, and to verify
// after no run at all.)
// EXPECT: verified
// OPTIONS: --algorithm=dfs --state=exact
// ONLY: rollback
#include <assert.h>
#include <pthread.h>

static volatile int x;
static volatile long sink;

#define BRANCH(n) if (a == n) sink = n; else if (b == n + 1) { sink = a; sink = b; }
#define BRANCHES_4(n) BRANCH(n) BRANCH(n + 1) BRANCH(n + 2) BRANCH(n + 3)
#define BRANCHES_16(n) BRANCHES_4(n) BRANCHES_4(n + 4) BRANCHES_4(n + 8) BRANCHES_4(n + 12)
#define BRANCHES_64(n) BRANCHES_16(n) BRANCHES_16(n + 16) BRANCHES_16(n + 32) BRANCHES_16(n + 48)

// Kept in registers that a callee keeps, and not looked at before the end.
static long decide(long a, long b, long c, long d, long e) {
  x++;
  BRANCHES_64(1000)
  BRANCHES_64(2000)
  return a + b + c * d + e;
}

static void* work(void* unused) {
  assert(decide(1, 2, 3, 4, 5) == 20);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  work(0);
  return 0;
}
