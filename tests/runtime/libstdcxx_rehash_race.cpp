// When an unordered container grows is decided by a function of libstdc++.so, which remembers the next limit.
// EXPECT: bug data-race
// LOCATION: HERE
#include <atomic>
#include <thread>
#include <unordered_set>

std::unordered_set<int> numbers;
std::atomic<float> factor;

int main() {
  std::thread a([] { numbers.insert(1); });
  std::thread b([] { numbers.rehash(100); });  // HERE
  a.join();
  b.join();
}
