// A thread writes to a local of the function that started it, which reads it before the join.
// EXPECT: bug data-race
// LOCATION: HERE
#include <thread>

int main() {
  int result = 0;
  std::thread t([&] { result = 42; });  // HERE
  bool early = result == 42;
  t.join();
  return early ? 0 : 0;
}
