// std::jthread asks its thread to stop and joins it by itself.
// Two locations of the C++ library have release and acquire accesses that nothing orders.
// EXPECT: within-bound
// ASSUMES: sequential consistency
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex lock;
  std::condition_variable_any never;
  bool stopped = false;
  {
    std::jthread worker([&](std::stop_token stop) {
      std::unique_lock guard(lock);
      assert(!never.wait(guard, stop, [] { return false; }));
      stopped = true;
    });
  }
  assert(stopped);
}
