// counter_mutex.c as C++ is written: std::thread, std::mutex.
#include <mutex>
#include <thread>

static std::mutex mutex;
static int x;

static void worker() {
  std::lock_guard<std::mutex> lock(mutex);
  x++;
}

int main() {
  std::thread a(worker), b(worker), c(worker);
  a.join();
  b.join();
  c.join();
  return x != 3;
}
