// std::atomic_load of a shared_ptr: its mutexes lie in libstdc++. Load and store may come in either order.
// EXPECT: bug assertion
#include <cassert>
#include <memory>
#include <thread>
static std::shared_ptr<const int> current;
int main() {
  std::thread t([] { std::atomic_store(&current, std::make_shared<const int>(7)); });
  auto seen = std::atomic_load(&current);
  t.join();
  assert(seen && *seen == 7);
}
