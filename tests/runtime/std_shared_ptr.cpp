// Reference counts of shared_ptr order the last owner's destruction after everybody's use.
// EXPECT: verified
#include <cassert>
#include <memory>
#include <thread>

struct Data {
  int value = 1;
  ~Data() { value = 0; }
};

int main() {
  auto data = std::make_shared<Data>();
  std::thread a([p = data] { assert(p->value == 1); });
  std::thread b([p = data] { assert(p->value == 1); });
  data.reset();
  a.join();
  b.join();
}
