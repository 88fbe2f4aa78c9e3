// The statistics object with a locked reader.
// EXPECT: verified
#include <cassert>
#include <mutex>
#include <thread>

class Stats {
 public:
  void add(int sample) {
    std::lock_guard guard(lock_);
    sum_ += sample;
    ++count_;
  }
  int mean() const {
    std::lock_guard guard(lock_);
    return count_ ? sum_ / count_ : 0;
  }

 private:
  mutable std::mutex lock_;
  int sum_ = 0, count_ = 0;
};

int main() {
  Stats stats;
  std::thread a([&] { stats.add(6); });
  std::thread b([&] { stats.add(8); });
  int seen = stats.mean();
  assert(seen == 0 || seen == 6 || seen == 7 || seen == 8);
  a.join();
  b.join();
  assert(stats.mean() == 7);
}
