// std::condition_variable: notify_one and notify_all with predicates.
// EXPECT: verified
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex lock;
  std::condition_variable changed;
  int stage = 0;
  std::thread t([&] {
    std::unique_lock guard(lock);
    changed.wait(guard, [&] { return stage == 1; });
    stage = 2;
    changed.notify_all();
  });
  {
    std::unique_lock guard(lock);
    stage = 1;
    changed.notify_one();
    changed.wait(guard, [&] { return stage == 2; });
  }
  t.join();
}
