// std::this_thread: sleep_for, sleep_until, yield, get_id, on the virtual clock.
// EXPECT: verified
// TIMEOUT: 20
// ORACLE: none sleeps for hours
#include <cassert>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

int main() {
  auto steady = std::chrono::steady_clock::now();
  auto system = std::chrono::system_clock::now();
  std::this_thread::sleep_for(1h);
  std::this_thread::sleep_until(system + 2h);
  std::this_thread::yield();
  assert(std::chrono::steady_clock::now() - steady >= 2h);
  assert(std::chrono::system_clock::now() - system >= 2h);
  assert(std::this_thread::get_id() != std::thread::id());
}
