// Two threads wait for one result.
// EXPECT: verified
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::shared_future<int> future = promise.get_future().share();
  std::thread a([=] { assert(future.get() == 42); });
  std::thread b([=] { assert(future.get() == 42); });
  promise.set_value(42);
  a.join();
  b.join();
}
