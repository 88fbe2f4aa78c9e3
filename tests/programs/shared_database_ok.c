// The shared database with a mutex of its own for each class: nobody waits for the other class while holding what it needs.
// EXPECT: verified
#include <assert.h>
#include <pthread.h>

struct class {
  pthread_mutex_t mutex;
  int count;
};
static struct class a = {PTHREAD_MUTEX_INITIALIZER, 0}, b = {PTHREAD_MUTEX_INITIALIZER, 0};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void* operation(void* argument) {
  struct class* self = argument;
  pthread_mutex_lock(&self->mutex);
  if (++self->count == 1) pthread_mutex_lock(&lock);
  assert(++inside == 1);
  pthread_mutex_unlock(&self->mutex);

  pthread_mutex_lock(&self->mutex);
  --inside;
  if (--self->count == 0) pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&self->mutex);
  return 0;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, operation, &a);
  pthread_create(&y, 0, operation, &b);
  pthread_join(x, 0);
  pthread_join(y, 0);
  return 0;
}
