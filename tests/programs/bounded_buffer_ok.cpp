// A bounded queue in C++ with predicates for its waits.
// EXPECT: verified
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

class BoundedQueue {
 public:
  void put(int item) {
    std::unique_lock guard(lock_);
    not_full_.wait(guard, [this] { return items_.size() < 1; });
    items_.push(item);
    not_empty_.notify_one();
  }
  int get() {
    std::unique_lock guard(lock_);
    not_empty_.wait(guard, [this] { return !items_.empty(); });
    int item = items_.front();
    items_.pop();
    not_full_.notify_one();
    return item;
  }

 private:
  std::mutex lock_;
  std::condition_variable not_full_, not_empty_;
  std::queue<int> items_;
};

int main() {
  BoundedQueue queue;
  std::thread producer([&] {
    queue.put(1);
    queue.put(2);
  });
  assert(queue.get() == 1);
  assert(queue.get() == 2);
  producer.join();
}
