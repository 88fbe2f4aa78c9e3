// std::getline puts the line into a string that another thread reads.
// EXPECT: bug data-race
#include <atomic>
#include <sstream>
#include <string>
#include <thread>

std::string line;
std::atomic<std::size_t> length;

int main() {
  std::thread a([] {
    std::istringstream in("a line\n");
    std::getline(in, line);
  });
  std::thread b([] { length = line.size(); });
  a.join();
  b.join();
}
