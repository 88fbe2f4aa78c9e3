// Containers of each thread's own share nothing.
// EXPECT: verified
#include <cassert>
#include <map>
#include <string>
#include <thread>
#include <vector>

static int work(int base) {
  std::map<std::string, std::vector<int>> index;
  for (int i = 0; i < 10; i++) index[std::to_string((base + i) % 3)].push_back(i);
  int sum = 0;
  for (auto& [name, values] : index)
    for (int value : values) sum += value;
  return sum;
}

int main() {
  int sums[2];
  std::thread a([&] { sums[0] = work(0); });
  std::thread b([&] { sums[1] = work(1); });
  a.join();
  b.join();
  assert(sums[0] == 45 && sums[1] == 45);
}
