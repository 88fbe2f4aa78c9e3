// A thread pool whose workers look for work every 10 ms, whether somebody has told them or not.
// EXPECT: within-bound
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

class Worker {
 public:
  void add(std::function<void()> task) {
    std::lock_guard lock(mutex_);
    tasks_.push(std::move(task));
    changed_.notify_one();
  }
  ~Worker() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      while (!changed_.wait_for(lock, std::chrono::milliseconds(10), [this] { return stop_ || !tasks_.empty(); })) {
      }
      if (tasks_.empty()) return;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::function<void()>> tasks_;
  bool stop_ = false;
  std::thread thread_{[this] { run(); }};
};

int main() {
  int done = 0;
  {
    Worker worker;
    worker.add([&done] { ++done; });
    worker.add([&done] { ++done; });
  }
  assert(done == 2);
}
