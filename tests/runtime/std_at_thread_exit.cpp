// std::notify_all_at_thread_exit and set_value_at_thread_exit act after the thread's own objects are gone.
// EXPECT: verified
// ORACLE: native parts of this are inside the C++ library, which ThreadSanitizer does not see
#include <cassert>
#include <future>
#include <thread>

static int destroyed;
struct Local {
  ~Local() { destroyed = 1; }
};

int main() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread t([&] {
    static thread_local Local local;
    (void)&local;
    promise.set_value_at_thread_exit(42);
  });
  assert(future.get() == 42);
  t.join();
  assert(destroyed == 1);
}
