// C++20: the value changes but nobody notifies; a waiter that already sleeps sleeps on.
// EXPECT: bug deadlock
#include <atomic>
#include <thread>

int main() {
  std::atomic<int> stage{0};
  std::thread waiter([&] { stage.wait(0); });
  stage.store(1);
  waiter.join();
}
