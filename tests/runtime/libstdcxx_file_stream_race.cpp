// Two threads read from one file stream, whose buffer is filled by code of the C++ library.
// EXPECT: bug data-race
// ONLY: fork
#include <fstream>
#include <string>
#include <thread>

int main() {
  std::ifstream in("/proc/self/cmdline");
  char first, second;
  std::thread a([&] { in.get(first); });
  std::thread b([&] { in.get(second); });
  a.join();
  b.join();
}
