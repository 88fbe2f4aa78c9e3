// A field of a local object that another thread writes. The instrumentation of clang 14 looks only at whether the field's own
// address gets away, not the object's, and leaves such accesses out: no tool on top of it can see them.
// EXPECT: bug data-race
// LOCATION: HERE
// ONLY: gcc
#include <cstdio>
#include <thread>

struct Pair {
  int first = 0, second = 0;
};

int main() {
  Pair pair;
  std::thread t([&] { pair.second = 42; });
  if (pair.second == 42) std::puts("early");  // HERE
  t.join();
}
