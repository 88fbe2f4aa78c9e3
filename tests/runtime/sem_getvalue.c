// The value counts posts that nobody took.
// EXPECT: verified
#include <assert.h>
#include <semaphore.h>

int main(void) {
  sem_t items;
  int value;
  sem_init(&items, 0, 2);
  sem_post(&items);
  assert(sem_getvalue(&items, &value) == 0 && value == 3);
  sem_wait(&items);
  assert(sem_getvalue(&items, &value) == 0 && value == 2);
  return 0;
}
