// A floating-point number is turned into text by a function of libstdc++.so.
// EXPECT: bug data-race
// LOCATION: HERE
#include <atomic>
#include <charconv>
#include <thread>

char text[40];
std::atomic<char> seen;

int main() {
  std::thread a([] { std::to_chars(text, text + sizeof text, 1.25); });
  std::thread b([] { seen = text[2]; });  // HERE
  a.join();
  b.join();
}
