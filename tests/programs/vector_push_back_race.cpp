// Two threads push into one std::vector.
// EXPECT: bug data-race|use-after-free|double-free
#include <thread>
#include <vector>

int main() {
  std::vector<int> items;
  std::thread a([&] { items.push_back(1); });
  std::thread b([&] { items.push_back(2); });
  a.join();
  b.join();
}
