// std::barrier: its completion runs once a phase, between the arrivals and the departures.
// Two locations of the C++ library have release and acquire accesses that nothing orders.
// EXPECT: within-bound
// ASSUMES: sequential consistency
#include <barrier>
#include <cassert>
#include <thread>

int main() {
  int a = 0, b = 0, sum = 0;
  auto completion = [&]() noexcept { sum += a + b; };
  std::barrier barrier(2, completion);
  std::thread t([&] {
    a = 1;
    barrier.arrive_and_wait();
    assert(sum == 3);
  });
  b = 2;
  barrier.arrive_and_wait();
  assert(sum == 3);
  t.join();
}
