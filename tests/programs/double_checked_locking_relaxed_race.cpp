// Double-checked locking whose pointer is atomic but relaxed: the pointer is fine, the object behind it races.
// EXPECT: bug data-race
// LOCATION: HERE
#include <atomic>
#include <mutex>
#include <thread>

struct Settings {
  int value;
};
static std::atomic<Settings*> instance;
static std::mutex lock;
static Settings storage;
static thread_local volatile int seen;

static void get() {
  Settings* found = instance.load(std::memory_order_relaxed);
  if (!found) {
    std::lock_guard guard(lock);
    found = instance.load(std::memory_order_relaxed);
    if (!found) {
      storage.value = 42;
      found = &storage;
      instance.store(found, std::memory_order_relaxed);
    }
  }
  seen = found->value;  // HERE
}

int main() {
  std::thread a([] { get(); });
  std::thread b([] { get(); });
  a.join();
  b.join();
}
