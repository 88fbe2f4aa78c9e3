// Two loads of a shared_ptr, whose counter is used while libstdc++'s mutex is held.
// EXPECT: verified
#include <memory>
#include <thread>
static std::shared_ptr<int> current = std::make_shared<int>(1);
int main() {
  std::thread t([] { auto seen = std::atomic_load(&current); });
  auto seen = std::atomic_load(&current);
  t.join();
  return *seen != 1;
}
