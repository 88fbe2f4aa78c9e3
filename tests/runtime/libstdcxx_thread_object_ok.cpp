// A thread looks at its own std::thread object; join changes it afterwards.
// EXPECT: verified
#include <cassert>
#include <mutex>
#include <thread>

std::thread worker;
std::mutex m;

int main() {
  {
    std::lock_guard guard(m);
    worker = std::thread([] {
      std::lock_guard inner(m);
      assert(worker.get_id() == std::this_thread::get_id());
    });
  }
  worker.join();
  assert(!worker.joinable());
}
