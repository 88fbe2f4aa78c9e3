// A string is hashed by a function of libstdc++.so.
// EXPECT: bug data-race
#include <atomic>
#include <string>
#include <thread>

std::string text(100, 'a');
std::atomic<std::size_t> hash;

int main() {
  std::thread a([] { hash = std::hash<std::string>{}(text); });
  std::thread b([] { text[50] = 'b'; });
  a.join();
  b.join();
}
