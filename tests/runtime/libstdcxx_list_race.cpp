// The links of std::list are written by functions of libstdc++.so.
// EXPECT: bug data-race
#include <atomic>
#include <list>
#include <thread>

std::list<int> numbers{1};
std::atomic<int> seen;

int main() {
  std::thread a([] { numbers.push_front(0); });
  std::thread b([] { for (int n : numbers) seen += n; });
  a.join();
  b.join();
}
