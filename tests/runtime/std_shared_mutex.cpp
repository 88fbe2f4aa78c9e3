// std::shared_mutex: many readers or one writer.
// EXPECT: verified
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main() {
  std::shared_mutex lock;
  int a = 0, b = 0;
  std::thread writer([&] {
    std::unique_lock guard(lock);
    a++;
    b++;
  });
  std::thread reader([&] {
    std::shared_lock guard(lock);
    assert(a == b);
  });
  if (lock.try_lock_shared()) {
    assert(a == b);
    lock.unlock_shared();
  }
  writer.join();
  reader.join();
}
