// Trying an empty semaphore fails with EAGAIN.
// EXPECT: verified
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

int main(void) {
  sem_t items;
  sem_init(&items, 0, 1);
  assert(sem_trywait(&items) == 0);
  errno = 0;
  assert(sem_trywait(&items) == -1 && errno == EAGAIN);
  sem_destroy(&items);
  return 0;
}
