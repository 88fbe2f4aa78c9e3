// std::recursive_timed_mutex.
// EXPECT: verified
// ORACLE: native the ThreadSanitizer of this compiler does not know pthread_mutex_clocklock
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

int main() {
  std::recursive_timed_mutex lock;
  assert(lock.try_lock_for(std::chrono::milliseconds(1)));
  assert(lock.try_lock());
  std::thread t([&] { assert(!lock.try_lock_for(std::chrono::milliseconds(1))); });
  t.join();
  lock.unlock();
  lock.unlock();
}
