// The counts of std::shared_ptr are read-modify-writes that acquire and release.
// EXPECT: verified
#include <cassert>
#include <memory>
#include <thread>

int main() {
  auto a = std::make_shared<int>(1), b = std::make_shared<int>(2);
  std::thread t([a, b] { assert(*a + *b == 3); });
  std::shared_ptr<int> c = a, d = b;
  a.reset();
  b.reset();
  assert(*c + *d == 3);
  t.join();
}
