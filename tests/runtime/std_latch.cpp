// std::latch: nobody passes before all have counted down.
// Two locations of the C++ library have release and acquire accesses that nothing orders.
// EXPECT: within-bound
// ASSUMES: sequential consistency
#include <cassert>
#include <latch>
#include <thread>

int main() {
  std::latch latch(2);
  int a = 0, b = 0;
  std::thread x([&] {
    a = 1;
    latch.arrive_and_wait();
    assert(b == 2);
  });
  b = 2;
  latch.count_down();
  latch.wait();
  assert(latch.try_wait() && a == 1);
  x.join();
}
