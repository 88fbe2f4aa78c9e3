// As freed_after_section_use_after_free.c, for a block that the C++ library deletes: a string's.
// EXPECT: bug use-after-free|data-race
// OPTIONS: --algorithm=dl-spor --order=sequential
// ONLY: rollback
#include <atomic>
#include <mutex>
#include <string>
#include <thread>

int main() {
  std::mutex mutex;
  std::atomic<int> other{0};
  auto* text = new std::string("long enough to need a block of its own on the heap");
  std::thread use([&] {
    const std::lock_guard lock(mutex);
    (*text)[0] = 'L';
  });
  std::thread release([&] {
    { const std::lock_guard lock(mutex); }
    other.load();
    delete text;
  });
  use.join();
  release.join();
}
