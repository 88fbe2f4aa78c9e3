// The members of std::string are compiled into libstdc++.so, too (as C++17 more of them than as C++20).
// EXPECT: bug data-race
// CFLAGS: -std=c++17
#include <atomic>
#include <string>
#include <thread>

std::string text = "some text that lies on the heap";
std::atomic<std::size_t> found;

int main() {
  std::thread a([] { text.replace(0, 4, "more"); });
  std::thread b([] { found = text.find("that"); });
  a.join();
  b.join();
}
