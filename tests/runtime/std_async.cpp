// std::async in a thread of its own, and deferred.
// EXPECT: verified
#include <cassert>
#include <future>

int main() {
  auto now = std::async(std::launch::async, [] { return 40; });
  auto later = std::async(std::launch::deferred, [] { return 2; });
  assert(now.get() + later.get() == 42);
}
