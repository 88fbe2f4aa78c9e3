// std::recursive_mutex.
// EXPECT: verified
#include <cassert>
#include <mutex>
#include <thread>

static std::recursive_mutex lock;
static int depth;

static void nest(int levels) {
  std::lock_guard guard(lock);
  depth++;
  if (levels > 1)
    nest(levels - 1);
  else
    assert(depth == 2);
  depth--;
}

int main() {
  std::thread a(nest, 2);
  std::thread b(nest, 2);
  a.join();
  b.join();
  assert(depth == 0);
}
