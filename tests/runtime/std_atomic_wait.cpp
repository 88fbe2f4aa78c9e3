// std::atomic::wait returns when the value has changed; notify_all wakes everybody.
// Two locations of the C++ library have release and acquire accesses that nothing orders.
// EXPECT: within-bound
// ASSUMES: sequential consistency
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<int> value{0};
  std::atomic<bool> small{false};
  std::thread a([&] {
    value.wait(0);
    assert(value.load() == 1);
  });
  std::thread b([&] { small.wait(false); });
  value.store(1);
  value.notify_all();
  small.store(true);
  small.notify_all();
  a.join();
  b.join();
}
