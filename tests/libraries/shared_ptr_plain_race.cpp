// A shared_ptr that one thread stores with std::atomic_store and the other copies as it is.
// EXPECT: bug data-race
#include <memory>
#include <thread>
static std::shared_ptr<int> current = std::make_shared<int>(1);
int main() {
  std::thread t([] { std::atomic_store(&current, std::make_shared<int>(2)); });
  std::shared_ptr<int> copy = current;
  t.join();
  return *copy > 2;
}
