// C++20: waiting for an atomic to change, instead of spinning.
// Two locations of the C++ library have release and acquire accesses that nothing orders.
// EXPECT: within-bound
// ASSUMES: sequential consistency
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<int> stage{0};
  int data = 0;
  std::thread producer([&] {
    data = 42;
    stage.store(1, std::memory_order_release);
    stage.notify_one();
  });
  stage.wait(0, std::memory_order_acquire);
  assert(data == 42);
  producer.join();
}
