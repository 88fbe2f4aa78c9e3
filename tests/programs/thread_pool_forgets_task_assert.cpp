// A worker that checks for the end before it looks for work: a task submitted just before the end is never run.
// EXPECT: bug assertion
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static std::deque<int> tasks;
static bool closed;
static int done;

static void work() {
  for (;;) {
    std::unique_lock guard(lock);
    changed.wait(guard, [] { return closed || !tasks.empty(); });
    if (closed) return;
    tasks.pop_front();
    ++done;
  }
}

int main() {
  std::thread worker(work);
  {
    std::lock_guard guard(lock);
    tasks.push_back(1);
  }
  changed.notify_one();
  {
    std::lock_guard guard(lock);
    closed = true;
  }
  changed.notify_one();
  worker.join();
  assert(done == 1);
}
