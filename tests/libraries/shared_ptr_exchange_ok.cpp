// Two exchanges of a shared_ptr: one of the threads gets what the other has left.
// EXPECT: verified
#include <cassert>
#include <memory>
#include <thread>
static std::shared_ptr<int> current = std::make_shared<int>(0);
int main() {
  std::shared_ptr<int> one, two;
  std::thread t([&one] { one = std::atomic_exchange(&current, std::make_shared<int>(1)); });
  two = std::atomic_exchange(&current, std::make_shared<int>(2));
  t.join();
  assert(*one + *two + *current == 3);
}
