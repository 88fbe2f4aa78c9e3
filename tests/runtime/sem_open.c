// Named semaphores are shared with other processes, which nobody can schedule.
// EXPECT: unsupported
// MESSAGE: sem_open
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
  sem_t* named = sem_open("/heddle-test", O_CREAT, 0600, 1);
  return named == SEM_FAILED;
}
