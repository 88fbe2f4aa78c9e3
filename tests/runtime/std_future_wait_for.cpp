// Waiting for a future with a time limit: ready or timeout, and timeout for good when nobody sets it.
// EXPECT: verified
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::promise<int> never;
  assert(never.get_future().wait_for(10ms) == std::future_status::timeout);
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread t([&] { promise.set_value(1); });
  auto status = future.wait_for(10ms);
  assert(status == std::future_status::ready || status == std::future_status::timeout);
  assert(future.get() == 1);
  t.join();
}
