// A lambda captures a variable by reference, and has ended before the variable goes.
// EXPECT: verified
#include <thread>

int main() {
  std::thread outer([] {
    int sum = 0;
    std::thread inner([&sum] { sum += 1; });
    inner.join();
    sum += 1;
  });
  outer.join();
}
