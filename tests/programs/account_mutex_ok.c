// Deposits and withdrawals under a lock: the balance comes out right in every order.
// EXPECT: verified
// EXECUTIONS: optimal=6
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void* change(void* amount) {
  pthread_mutex_lock(&lock);
  balance += *(int*)amount;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  int amounts[3] = {10, -20, 30};
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, change, &amounts[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(balance == 120);
  return 0;
}
