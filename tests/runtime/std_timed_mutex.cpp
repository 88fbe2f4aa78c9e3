// std::timed_mutex: try_lock_for and try_lock_until give up when it is held for good.
// EXPECT: verified
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::timed_mutex lock;
  std::lock_guard guard(lock);
  std::thread t([&] {
    assert(!lock.try_lock());
    assert(!lock.try_lock_for(10ms));
    assert(!lock.try_lock_until(std::chrono::steady_clock::now() + 10ms));
    assert(!lock.try_lock_until(std::chrono::system_clock::now() + 10ms));
  });
  t.join();
}
