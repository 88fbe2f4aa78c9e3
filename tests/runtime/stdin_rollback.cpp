// Standard input is read from its start in each run.
// EXPECT: verified
// STDIN: 17 4
#include <cassert>
#include <iostream>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  int sum = 0;
  auto add = [&] {
    std::lock_guard guard(mutex);
    int n = 0;
    assert(std::cin >> n);
    sum += n;
  };
  std::thread one(add), two(add);
  one.join();
  two.join();
  assert(sum == 21);
}
