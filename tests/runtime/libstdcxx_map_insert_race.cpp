// An insertion turns nodes of a std::map that another thread looks for.
// EXPECT: bug data-race
#include <atomic>
#include <map>
#include <thread>

std::map<int, int> squares{{1, 1}, {2, 4}};
std::atomic<bool> found;

int main() {
  std::thread a([] { squares[3] = 9; });
  std::thread b([] { found = squares.count(2); });
  a.join();
  b.join();
}
