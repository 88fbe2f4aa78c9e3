// std::atomic_flag: exactly one thread finds it clear; wait and notify work on it.
// Two locations of the C++ library have release and acquire accesses that nothing orders.
// EXPECT: within-bound
// ASSUMES: sequential consistency
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic_flag taken = ATOMIC_FLAG_INIT;
  int winners[2] = {0, 0};
  auto work = [&](int me) {
    winners[me] = !taken.test_and_set();
    taken.notify_all();
    taken.wait(false);
    assert(taken.test());
  };
  std::thread a(work, 0), b(work, 1);
  a.join();
  b.join();
  assert(winners[0] + winners[1] == 1);
  taken.clear();
  assert(!taken.test());
}
