// A number from a stream is stored in a variable by libstdc++.so.
// EXPECT: bug data-race
// LOCATION: HERE
#include <atomic>
#include <sstream>
#include <thread>

double value;
std::atomic<double> seen;

int main() {
  std::thread a([] { std::istringstream("4.5") >> value; });
  std::thread b([] { seen = value; });  // HERE
  a.join();
  b.join();
}
