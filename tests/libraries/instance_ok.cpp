// A library's only instance is made by whoever asks first, with a constructor of the program.
// EXPECT: within-bound
// UNCOVERED: library is not instrumented
// LIBRARY: -O1
#include <cassert>
#include <mutex>
#include <thread>
struct Made {
  int value;
};
const Made& lib_instance(int (*make)());
#ifdef LIBRARY
const Made& lib_instance(int (*make)()) {
  static std::once_flag once;
  static Made instance;
  std::call_once(once, [make] { instance.value = make(); });
  return instance;
}
#else
static int calls;
static int make() { return ++calls; }
int main() {
  std::thread t([] { assert(lib_instance(make).value == 1); });
  assert(lib_instance(make).value == 1 && calls == 1);
  t.join();
}
#endif
