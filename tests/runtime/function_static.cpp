// A function's static object is initialised once, however many come at the same time.
// EXPECT: verified
#include <cassert>
#include <thread>

static int constructions;
struct Once {
  int value;
  Once() : value(++constructions) {}
};

static int get() {
  static Once once;
  return once.value;
}

int main() {
  std::thread a([] { assert(get() == 1); });
  std::thread b([] { assert(get() == 1); });
  a.join();
  b.join();
}
