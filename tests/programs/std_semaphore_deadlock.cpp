// A bug of the C++ library of gcc 12, not of this program: a contended acquire of std::counting_semaphore remembers the
// counter (1), fails to take it, and then sleeps until it is no longer 1. If the other thread has released by then, the
// counter is 1 again and nobody will ever wake it.
// EXPECT: bug deadlock
// TIMEOUT: 120
#include <semaphore>
#include <thread>

int main() {
  std::binary_semaphore turn(1);
  auto work = [&] {
    turn.acquire();
    turn.release();
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
}
