// std::scoped_lock takes two mutexes in any order: two threads may fail and try again for ever, but only by bad luck.
#include <mutex>
#include <thread>

static std::mutex a, b;
static int sum;

static void work(std::mutex& first, std::mutex& second) {
  std::scoped_lock both(first, second);
  ++sum;
}

int main() {
  std::thread other(work, std::ref(a), std::ref(b));
  work(b, a);
  other.join();
  return sum == 2 ? 0 : 1;
}
