// A thread writes to a local of the function that started it, which reads it before the join.
// EXPECT: bug data-race
// LOCATION: HERE
// LOCATION: THERE
#include <cstdio>
#include <thread>

int main() {
  int result = 0;
  std::thread t([&] { result = 42; });  // HERE
  if (result == 42) std::puts("early");  // THERE
  t.join();
}
