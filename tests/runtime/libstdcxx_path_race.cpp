// The functions of std::filesystem::path lie in libstdc++.so.
// EXPECT: bug data-race
#include <atomic>
#include <filesystem>
#include <thread>

std::filesystem::path one = "a/b", two = "a/c";
std::atomic<int> order;

int main() {
  std::thread a([] { two /= "more"; });
  std::thread b([] { order = one.compare(two); });
  a.join();
  b.join();
}
