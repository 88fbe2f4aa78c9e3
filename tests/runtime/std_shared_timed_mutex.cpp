// std::shared_timed_mutex: shared and exclusive tries give up beside a writer.
// EXPECT: verified
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::shared_timed_mutex lock;
  std::lock_guard guard(lock);
  std::thread t([&] {
    assert(!lock.try_lock_shared_for(1ms));
    assert(!lock.try_lock_for(1ms));
    assert(!lock.try_lock_shared());
  });
  t.join();
}
