// cout needs a lock once it has a buffer of its own.
// EXPECT: bug data-race
#include <iostream>
#include <thread>

int main() {
  std::ios::sync_with_stdio(false);
  std::thread a([] { std::cout << "a"; });
  std::thread b([] { std::cout << "b"; });
  a.join();
  b.join();
}
