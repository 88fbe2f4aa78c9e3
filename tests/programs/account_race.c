// Two withdrawals from one account without a lock: the balance is a data race.
// EXPECT: bug data-race
// LOCATION: HERE
#include <pthread.h>

static int balance = 100;

static void* withdraw(void* amount) {
  balance -= *(int*)amount;  // HERE
  return 0;
}

int main(void) {
  int ten = 10, twenty = 20;
  pthread_t a, b;
  pthread_create(&a, 0, withdraw, &ten);
  pthread_create(&b, 0, withdraw, &twenty);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
