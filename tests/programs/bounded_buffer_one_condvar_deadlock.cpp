// One condition variable for both directions, and notify_one: a producer's signal can wake another producer, and
// then everybody sleeps.
// EXPECT: bug deadlock
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static bool full;

static void put() {
  std::unique_lock guard(lock);
  changed.wait(guard, [] { return !full; });
  full = true;
  changed.notify_one();
}

static void get() {
  std::unique_lock guard(lock);
  changed.wait(guard, [] { return full; });
  full = false;
  changed.notify_one();
}

int main() {
  std::thread c1(get), c2(get);
  std::thread p1(put), p2(put);
  c1.join();
  c2.join();
  p1.join();
  p2.join();
}
