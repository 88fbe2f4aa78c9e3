// A relaxed exchange on a location that nobody has released to begins no release sequence.
// EXPECT: bug data-race
#include <atomic>
#include <thread>

int main() {
  int data = 0, seen = 0;
  std::atomic<int> flag{0};
  std::thread writer([&] {
    data = 42;
    flag.store(1, std::memory_order_release);
    flag.store(0, std::memory_order_relaxed);
    flag.exchange(2, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_acquire) == 2) seen = data;
  writer.join();
  return seen == 43;
}
