// std::condition_variable: wait_for and wait_until time out when nobody notifies.
// EXPECT: verified
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>

using namespace std::chrono_literals;

int main() {
  std::mutex lock;
  std::condition_variable never;
  std::unique_lock guard(lock);
  auto before = std::chrono::steady_clock::now();
  assert(never.wait_for(guard, 100ms) == std::cv_status::timeout);
  assert(std::chrono::steady_clock::now() - before >= 100ms);
  assert(!never.wait_for(guard, 100ms, [] { return false; }));
  assert(never.wait_until(guard, std::chrono::system_clock::now() + 10ms) == std::cv_status::timeout);
}
