// Every operation on a std::list, under a lock.
// EXPECT: verified
#include <cassert>
#include <list>
#include <mutex>
#include <thread>

std::list<int> numbers{3, 1, 2}, others{9};
std::mutex m;

int main() {
  std::thread a([] {
    std::lock_guard guard(m);
    numbers.push_front(0);
    numbers.sort();
    numbers.reverse();
  });
  std::thread b([] {
    std::lock_guard guard(m);
    numbers.splice(numbers.end(), others);
    numbers.swap(others);
    numbers.swap(others);
    numbers.pop_back();
  });
  a.join();
  b.join();
  assert(numbers.size() + others.size() == 4);
}
