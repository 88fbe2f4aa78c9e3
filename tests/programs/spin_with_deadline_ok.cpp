// A spin loop that gives up at a deadline ends by itself: looking at the clock is progress, and time passes.
// EXPECT: verified
#include <atomic>
#include <chrono>
#include <thread>

static std::atomic<bool> flag{false};

int main() {
  using clock = std::chrono::steady_clock;
  auto deadline = clock::now() + std::chrono::milliseconds(100);
  while (!flag.load() && clock::now() < deadline) std::this_thread::yield();
}
