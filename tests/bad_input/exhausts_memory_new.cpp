// Objects made in a loop and never deleted.
// EXPECT: bug crash
// MESSAGE: out of memory
// OPTIONS: --target-memory=256M
// TIMEOUT: 60
#include <string>
#include <thread>
#include <vector>

int main() {
  std::thread worker([] {
    std::vector<std::string*> all;
    for (;;) all.push_back(new std::string(4000, 'x'));
  });
  worker.join();
}
