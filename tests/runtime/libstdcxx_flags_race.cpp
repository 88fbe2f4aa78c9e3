// A number is written as the stream's flags say; they are read in libstdc++.so.
// EXPECT: bug data-race
#include <sstream>
#include <thread>

std::ostringstream out;

int main() {
  std::thread a([] { out << 10; });
  std::thread b([] { out.setf(std::ios::hex, std::ios::basefield); });
  a.join();
  b.join();
}
