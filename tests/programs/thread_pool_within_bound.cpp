// A pool of two workers that hands results back through futures.
// Two locations of the C++ library have release and acquire accesses that nothing orders.
// EXPECT: within-bound
// ASSUMES: sequential consistency
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
 public:
  explicit Pool(int workers) {
    for (int i = 0; i < workers; i++) threads_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      std::lock_guard guard(lock_);
      closed_ = true;
    }
    changed_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  std::future<int> submit(std::function<int()> job) {
    std::packaged_task<int()> task(std::move(job));
    auto result = task.get_future();
    {
      std::lock_guard guard(lock_);
      tasks_.push_back(std::move(task));
    }
    changed_.notify_one();
    return result;
  }

 private:
  void work() {
    for (;;) {
      std::unique_lock guard(lock_);
      changed_.wait(guard, [this] { return closed_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      guard.unlock();
      task();
    }
  }
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<std::packaged_task<int()>> tasks_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

int main() {
  Pool pool(2);
  auto answer = pool.submit([] { return 42; });
  assert(answer.get() == 42);
}
