// std::atomic<double>: fetch_add is a loop of compare-exchanges.
// EXPECT: verified
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<double> sum{0};
  std::thread a([&] { sum.fetch_add(0.5); });
  std::thread b([&] { sum.fetch_add(0.25); });
  a.join();
  b.join();
  assert(sum == 0.75);
}
