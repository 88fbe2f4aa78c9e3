// An initialiser of a function's static object that throws is tried again.
// EXPECT: verified
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> attempts;
struct Fails {
  Fails() {
    if (++attempts == 1) throw 1;
  }
};

static void use() {
  try {
    static Fails object;
    (void)&object;
  } catch (int) {
  }
}

int main() {
  std::thread a(use), b(use);
  a.join();
  b.join();
  assert(attempts == 2);
}
