// Unordered containers under a lock. They must have the buckets that they have without heddle.
// EXPECT: verified
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

std::unordered_map<std::string, int> ages;
std::mutex m;

int main() {
  std::thread a([] {
    std::lock_guard guard(m);
    for (int n = 0; n < 10; ++n) ages["a" + std::to_string(n)] = n;
  });
  std::thread b([] {
    std::lock_guard guard(m);
    for (int n = 0; n < 10; ++n) ages["b" + std::to_string(n)] = n;
  });
  a.join();
  b.join();
  assert(ages.size() == 20 && ages.bucket_count() == 29);
  assert(std::hash<std::string>{}("abc") == 3663726644998027833u);
}
