// std::atomic<std::shared_ptr>: an update in two steps may be lost.
// EXPECT: bug assertion
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
static std::atomic<std::shared_ptr<int>> current{std::make_shared<int>(0)};
static void add() { current.store(std::make_shared<int>(*current.load() + 1)); }
int main() {
  std::thread t(add);
  add();
  t.join();
  assert(*current.load() == 2);
}
