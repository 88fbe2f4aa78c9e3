// Atomic pointers, with arithmetic.
// EXPECT: verified
#include <atomic>
#include <cassert>

int main() {
  int numbers[4] = {};
  std::atomic<int*> p{numbers};
  p.fetch_add(2);
  assert(p.load() == &numbers[2]);
  --p;
  assert(p.exchange(nullptr) == &numbers[1]);
}
