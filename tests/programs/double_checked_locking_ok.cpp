// Double-checked locking with an atomic pointer: acquire and release order the object's construction.
// EXPECT: verified
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  int value = 42;
};
static std::atomic<Settings*> instance;
static std::mutex lock;

static Settings* get() {
  Settings* found = instance.load(std::memory_order_acquire);
  if (!found) {
    std::lock_guard guard(lock);
    found = instance.load(std::memory_order_relaxed);
    if (!found) {
      found = new Settings;
      instance.store(found, std::memory_order_release);
    }
  }
  return found;
}

int main() {
  std::thread a([] { assert(get()->value == 42); });
  std::thread b([] { assert(get()->value == 42); });
  a.join();
  b.join();
  delete instance.load();
}
