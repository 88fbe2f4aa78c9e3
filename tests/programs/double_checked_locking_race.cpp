// Double-checked locking with a plain pointer: the unlocked check races with the store.
// EXPECT: bug data-race
// LOCATION: HERE
#include <mutex>
#include <thread>

struct Settings {
  int value = 42;
};
static Settings* instance;
static std::mutex lock;

static Settings* get() {
  if (!instance) {  // HERE
    std::lock_guard guard(lock);
    if (!instance) instance = new Settings;
  }
  return instance;
}

int main() {
  std::thread a([] { get(); });
  std::thread b([] { get(); });
  a.join();
  b.join();
  delete instance;
}
