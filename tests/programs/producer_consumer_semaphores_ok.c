// A ring of two slots between one producer and one consumer, with two counting semaphores and no lock.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { kSlots = 2, kItems = 3 };
static sem_t free_slots, items;
static int ring[kSlots];

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
  sem_init(&free_slots, 0, kSlots);
  sem_init(&items, 0, 0);
  pthread_create(&t, 0, produce, 0);
  for (int i = 0; i < kItems; i++) {
    sem_wait(&items);
    assert(ring[i % kSlots] == i * i);
    sem_post(&free_slots);
  }
  pthread_join(t, 0);
  return 0;
}
