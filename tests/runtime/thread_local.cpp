// thread_local objects are constructed in each thread at first use and destroyed when it ends, in reverse order.
// EXPECT: verified
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> constructed, destroyed;
static thread_local int order;

struct Tracked {
  int expected_order;
  explicit Tracked(int order_at_end) : expected_order(order_at_end) { ++constructed; }
  ~Tracked() {
    assert(order++ == expected_order);
    ++destroyed;
  }
};

static void work() {
  static thread_local Tracked last(1);
  static thread_local Tracked first(0);
  (void)&last;
  (void)&first;
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(constructed == 4 && destroyed == 4);
}
