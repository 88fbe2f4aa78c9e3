// A function starts a thread that works on a variable of the function, and returns without having joined it.
// EXPECT: bug use-after-return
#include <thread>

[[gnu::noinline]] static std::thread start() {
  int sum = 0;
  return std::thread([&sum] { sum = 1; });
}

int main() {
  std::thread t = start();
  t.join();
}
