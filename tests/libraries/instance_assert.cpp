// The thread that asks a library first for its only instance decides what it is.
// EXPECT: bug assertion
// LIBRARY: -O1
#include <cassert>
#include <mutex>
#include <thread>
int lib_instance(int value);
#ifdef LIBRARY
int lib_instance(int value) {
  static std::once_flag once;
  static int instance;
  std::call_once(once, [value] { instance = value; });
  return instance;
}
#else
int main() {
  std::thread t([] { lib_instance(1); });
  int mine = lib_instance(2);
  t.join();
  assert(mine == 2);
}
#endif
