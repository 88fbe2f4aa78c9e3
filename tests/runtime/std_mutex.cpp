// std::mutex with lock_guard, unique_lock, try_lock.
// EXPECT: verified
#include <cassert>
#include <mutex>
#include <thread>

int main() {
  std::mutex lock;
  int total = 0;
  std::thread a([&] {
    std::lock_guard guard(lock);
    total++;
  });
  std::thread b([&] {
    std::unique_lock guard(lock, std::try_to_lock);
    if (!guard.owns_lock()) guard.lock();
    total++;
  });
  a.join();
  b.join();
  assert(total == 2);
}
