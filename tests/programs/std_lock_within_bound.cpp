// std::lock takes two mutexes in any order without deadlock, but two threads can fail and try again for ever: explored up to a
// bound, and never called verified.
// EXPECT: within-bound
// OPTIONS: --algorithm=dfs --max-steps=18
#include <mutex>
#include <thread>

static std::mutex a, b;

static void work(std::mutex& first, std::mutex& second) {
  std::scoped_lock both(first, second);
}

int main() {
  std::thread x([] { work(a, b); });
  std::thread y([] { work(b, a); });
  x.join();
  y.join();
}
