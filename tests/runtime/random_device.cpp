// The system's randomness is replaced by a fixed sequence, so that runs repeat.
// EXPECT: verified
#include <sys/random.h>

#include <cassert>
#include <random>
#include <thread>

int main() {
  std::random_device device;
  unsigned value = device();
  unsigned more = 0;
  assert(getrandom(&more, sizeof more, 0) == sizeof more);
  if ((value ^ more) & 1) std::thread([] {}).join();
}
