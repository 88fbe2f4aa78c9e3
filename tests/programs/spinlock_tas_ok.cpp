// A test-and-set lock around a counter.
// EXPECT: verified
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic_flag lock = ATOMIC_FLAG_INIT;
static int counter;

static void work() {
  while (lock.test_and_set(std::memory_order_acquire)) {
  }
  ++counter;
  lock.clear(std::memory_order_release);
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(counter == 2);
}
