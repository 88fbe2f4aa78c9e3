// A broken-down time is written as text by a facet in libstdc++.so.
// EXPECT: bug data-race
#include <ctime>
#include <iomanip>
#include <sstream>
#include <thread>

std::tm when{};

int main() {
  std::thread a([] { std::ostringstream() << std::put_time(&when, "%H:%M"); });
  std::thread b([] { when.tm_min = 3; });
  a.join();
  b.join();
}
