// A lambda captures a variable by reference and runs on after the thread whose variable that is.
// EXPECT: bug use-after-return
#include <thread>

int main() {
  std::thread inner;
  std::thread outer([&inner] {
    int sum = 0;
    inner = std::thread([&sum] { sum += 1; });
  });
  outer.join();
  inner.join();
}
