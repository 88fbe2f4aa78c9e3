// The same ring with one permit too many: the producer overwrites a slot that is being read.
// EXPECT: bug data-race
#include <pthread.h>
#include <semaphore.h>

enum { kSlots = 2, kItems = 3 };
static sem_t free_slots, items;
static int ring[kSlots], sum;

static void* produce(void* unused) {
  for (int i = 0; i < kItems; i++) {
    sem_wait(&free_slots);
    ring[i % kSlots] = i * i;
    sem_post(&items);
  }
  return unused;
}

int main(void) {
  pthread_t t;
  sem_init(&free_slots, 0, kSlots + 1);
  sem_init(&items, 0, 0);
  pthread_create(&t, 0, produce, 0);
  for (int i = 0; i < kItems; i++) {
    sem_wait(&items);
    sum += ring[i % kSlots];
    sem_post(&free_slots);
  }
  pthread_join(t, 0);
  return sum != 5 && sum == 1000;
}
