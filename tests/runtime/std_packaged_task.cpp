// A packaged task runs in another thread.
// Two locations of the C++ library have release and acquire accesses that nothing orders.
// EXPECT: within-bound
// ASSUMES: sequential consistency
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::packaged_task<int(int)> task([](int x) { return x * 2; });
  auto result = task.get_future();
  std::thread t(std::move(task), 21);
  assert(result.get() == 42);
  t.join();
}
