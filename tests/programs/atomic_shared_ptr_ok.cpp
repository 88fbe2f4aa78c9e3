// std::atomic<std::shared_ptr>: one thread replaces what another loads.
// EXPECT: verified
// ORACLE: native libstdc++ 12 unlocks its internal spin bit with a relaxed operation in load(): ThreadSanitizer reports the library
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<std::shared_ptr<int>> current{std::make_shared<int>(1)};

int main() {
  std::thread t([] { current.store(std::make_shared<int>(2)); });
  auto seen = current.load();
  assert(*seen == 1 || *seen == 2);
  t.join();
  assert(*current.load() == 2);
}
