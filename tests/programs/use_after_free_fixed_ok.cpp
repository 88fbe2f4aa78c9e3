// The same with shared ownership: whoever drops it last frees it.
// EXPECT: verified
#include <memory>
#include <mutex>
#include <thread>

int main() {
  std::mutex lock;
  auto shared = std::make_shared<int>(7);
  std::thread reader([&lock, p = shared] {
    std::lock_guard guard(lock);
    *p += 1;
  });
  std::thread owner([&lock, p = std::move(shared)]() mutable {
    std::lock_guard guard(lock);
    p.reset();
  });
  reader.join();
  owner.join();
}
