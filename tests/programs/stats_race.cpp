// A statistics object that locks its writers but forgot the reader.
// EXPECT: bug data-race
// LOCATION: HERE
#include <mutex>
#include <thread>

class Stats {
 public:
  void add(int sample) {
    std::lock_guard guard(lock_);
    sum_ += sample;
    ++count_;
  }
  int mean() const { return count_ ? sum_ / count_ : 0; }  // HERE

 private:
  std::mutex lock_;
  int sum_ = 0, count_ = 0;
};

static Stats stats;

int main() {
  std::thread writer([] { stats.add(7); });
  int seen = stats.mean();
  writer.join();
  return seen == 8;
}
