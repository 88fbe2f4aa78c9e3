// std::counting_semaphore: acquire, release, try_acquire, try_acquire_for.
// EXPECT: verified
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

int main() {
  std::counting_semaphore<4> items(0);
  int data = 0;
  assert(!items.try_acquire());
  assert(!items.try_acquire_for(std::chrono::milliseconds(1)));
  std::thread t([&] {
    data = 42;
    items.release();
  });
  items.acquire();
  assert(data == 42);
  t.join();
}
