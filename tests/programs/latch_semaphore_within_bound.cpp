// C++20: a latch gathers the workers' arrivals, a semaphore hands a result over.
// Two locations of the C++ library have release and acquire accesses that nothing orders.
// EXPECT: within-bound
// ASSUMES: sequential consistency
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

int main() {
  std::latch started(2);
  std::binary_semaphore ready(0);
  int result = 0;
  std::thread worker([&] {
    started.arrive_and_wait();
    result = 42;
    ready.release();
  });
  started.arrive_and_wait();
  ready.acquire();
  assert(result == 42);
  worker.join();
}
