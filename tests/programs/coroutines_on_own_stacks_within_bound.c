// A thread runs functions on other stacks, one on the heap and one among its own variables, which another thread uses.
// EXPECT: within-bound
// UNCOVERED: call getcontext at
// UNCOVERED: call makecontext at
// UNCOVERED: call swapcontext at
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>

enum { BYTES = 1 << 16 };
static ucontext_t outside, inside;

static void* user(void* pointer) {
  *(int*)pointer += 1;
  return 0;
}

static void use(int* variable) {
  pthread_t b;
  pthread_create(&b, 0, user, variable);
  pthread_join(b, 0);
}

static int* below;

static void run(void) {
  int here = 0;
  use(&here);
  use(below);
  swapcontext(&inside, &outside);
  use(&here);
}

static void go(char* stack) {
  getcontext(&inside);
  inside.uc_stack.ss_sp = stack;
  inside.uc_stack.ss_size = BYTES;
  inside.uc_link = &outside;
  makecontext(&inside, run, 0);
  swapcontext(&outside, &inside);
  use(below);
  swapcontext(&outside, &inside);
}

int main(void) {
  int variable = 0;
  char own[BYTES];
  char* other = malloc(BYTES);
  below = &variable;
  go(other);
  go(own);
  free(other);
  return variable != 4;
}
