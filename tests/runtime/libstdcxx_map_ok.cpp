// Insertions and erasures that rebalance a std::set, under a lock; and two threads that only read.
// EXPECT: verified
#include <cassert>
#include <mutex>
#include <set>
#include <thread>

std::set<int> numbers{1, 2, 3, 4, 5, 6, 7, 8, 9};
std::mutex m;

int sum() {
  int n = 0;
  for (int number : numbers) n += number;
  for (auto i = numbers.rbegin(); i != numbers.rend(); ++i) n -= *i;
  return n;
}

int main() {
  {
    std::thread a([] { assert(sum() == 0); });
    assert(sum() == 0);
    a.join();
  }
  std::thread a([] {
    std::lock_guard guard(m);
    for (int n = 10; n < 20; ++n) numbers.insert(n);
  });
  std::thread b([] {
    std::lock_guard guard(m);
    for (int n = 1; n < 10; n += 2) numbers.erase(n);
  });
  a.join();
  b.join();
  assert(numbers.size() == 14 && sum() == 0 && *numbers.rbegin() == 19);
}
