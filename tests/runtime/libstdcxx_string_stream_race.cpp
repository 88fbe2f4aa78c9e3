// Two threads write to one string stream.
// EXPECT: bug data-race
#include <sstream>
#include <thread>

std::ostringstream out;

int main() {
  std::thread a([] { out << 1; });
  std::thread b([] { out << 2; });
  a.join();
  b.join();
}
