// C++20: a latch gathers the workers' results, a counting semaphore lets one at a time in.
// EXPECT: verified
// CFLAGS: -std=c++20
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

int main() {
  std::latch done(2);
  std::binary_semaphore turn(1);
  int sum = 0;
  auto work = [&](int value) {
    turn.acquire();
    sum += value;
    turn.release();
    done.count_down();
  };
  std::thread a(work, 1), b(work, 2);
  done.wait();
  assert(sum == 3);
  a.join();
  b.join();
}
