// Every access is locked, so nothing races, but in one order the object is gone when the reader comes.
// EXPECT: bug use-after-free
// LOCATION: HERE
// LOCATION: FREED
#include <mutex>
#include <thread>

static std::mutex lock;
static int* shared = new int(7);

int main() {
  int* p = shared;
  std::thread reader([=] {
    std::lock_guard guard(lock);
    *p += 1;  // HERE
  });
  std::thread owner([=] {
    std::lock_guard guard(lock);
    delete p;  // FREED
  });
  reader.join();
  owner.join();
}
