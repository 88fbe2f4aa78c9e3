// Threads keep their own thread-local variables, errno, exceptions in flight, handles, rounding and stacks while others run: whatever carries
// them. The assertion at the end is there to have a finding, which is replayed on fibers and on real threads.
// Fails with real threads that begin with another storage, or without their own rounding (turns_threads.cpp): seen.
// EXPECT: bug assertion
// LOCATION: HERE
#include <assert.h>
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <xmmintrin.h>

static thread_local int mine;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int intact;

static void others_run() {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
}

static void* keep(void* p) {
  const int number = *static_cast<int*>(p);
  const pthread_t self = pthread_self();
  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  assert(fegetround() == FE_TONEAREST && _MM_GET_ROUNDING_MODE() == _MM_ROUND_NEAREST);
  fesetround(number == 1 ? FE_UPWARD : FE_DOWNWARD);
  mine = errno = number;
  others_run();
  try {
    throw number;
  } catch (int caught) {
    pthread_mutex_lock(&own);
    others_run();
    pthread_mutex_unlock(&own);
    try {
      throw;
    } catch (int again) {
      assert(again == caught);
    }
  }
  assert(mine == number && errno == number && pthread_equal(self, pthread_self()));
  assert(fegetround() == (number == 1 ? FE_UPWARD : FE_DOWNWARD));
  pthread_mutex_lock(&m);
  ++intact;
  pthread_mutex_unlock(&m);
  return nullptr;
}

int main() {
  pthread_t t[2];
  int number[2] = {1, 2};
  fesetround(FE_TOWARDZERO);
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], nullptr, keep, &number[i]);
  for (pthread_t thread : t) pthread_join(thread, nullptr);
  assert(mine == 0 && fegetround() == FE_TOWARDZERO);
  assert(intact != 2);  // HERE
}
