// Two threads take a number each from one stream: both move its position.
// EXPECT: bug data-race
#include <sstream>
#include <thread>

std::istringstream in("1 2 3 4");

int main() {
  int one, two;
  std::thread a([&] { in >> one; });
  std::thread b([&] { in >> two; });
  a.join();
  b.join();
}
