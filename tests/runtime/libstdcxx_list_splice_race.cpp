// Splicing, reversing and swapping of std::list are made in libstdc++.so; here one list is iterated meanwhile.
// EXPECT: bug data-race
#include <atomic>
#include <list>
#include <thread>

std::list<int> first{1, 2, 3}, second{4};
std::atomic<int> seen;

int main() {
  std::thread a([] { first.splice(first.begin(), second); });
  std::thread b([] { seen = *second.begin(); });
  a.join();
  b.join();
}
