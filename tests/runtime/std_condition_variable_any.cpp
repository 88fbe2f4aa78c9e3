// std::condition_variable_any with a shared lock.
// EXPECT: verified
#include <cassert>
#include <condition_variable>
#include <shared_mutex>
#include <thread>

int main() {
  std::shared_mutex lock;
  std::condition_variable_any changed;
  bool ready = false;
  std::thread t([&] {
    std::shared_lock guard(lock);
    changed.wait(guard, [&] { return ready; });
    assert(ready);
  });
  {
    std::unique_lock guard(lock);
    ready = true;
  }
  changed.notify_all();
  t.join();
}
