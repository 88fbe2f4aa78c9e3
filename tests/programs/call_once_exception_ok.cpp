// An initialiser that throws leaves the once_flag open: the next caller runs it again.
// EXPECT: verified
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag once;
static int attempts, value;

static void initialise() {
  if (++attempts == 1) throw std::runtime_error("not yet");
  value = 42;
}

static void use() {
  try {
    std::call_once(once, initialise);
    assert(value == 42);
  } catch (const std::runtime_error&) {
  }
}

int main() {
  std::thread a(use), b(use);
  a.join();
  b.join();
  assert(attempts == 2 && value == 42);
}
