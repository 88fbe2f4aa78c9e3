// std::call_once.
// EXPECT: verified
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int value;

static void work() {
  std::call_once(once, [] { value++; });
  assert(value == 1);
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
}
