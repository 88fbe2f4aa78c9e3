// std::atomic_ref makes accesses to a plain variable atomic.
// EXPECT: verified
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  int plain = 0;
  auto work = [&] { std::atomic_ref<int>(plain).fetch_add(1); };
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(plain == 2);
}
