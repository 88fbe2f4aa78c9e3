// The tree of std::map is rebalanced by functions of libstdc++.so.
// EXPECT: bug data-race|use-after-free
#include <atomic>
#include <map>
#include <thread>

std::map<int, int> squares{{1, 1}, {5, 25}, {9, 81}};
std::atomic<int> seen;

int main() {
  std::thread a([] { squares.erase(9); });
  std::thread b([] { for (auto& [root, square] : squares) seen += root; });
  a.join();
  b.join();
}
