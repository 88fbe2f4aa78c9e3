// Virtual calls from two threads, and destruction after both.
// EXPECT: verified
#include <cassert>
#include <memory>
#include <thread>

struct Base {
  virtual ~Base() = default;
  virtual int value() const { return 1; }
};
struct Derived : Base {
  int value() const override { return 2; }
};

int main() {
  std::unique_ptr<Base> object = std::make_unique<Derived>();
  std::thread a([&] { assert(object->value() == 2); });
  std::thread b([&] { assert(object->value() == 2); });
  a.join();
  b.join();
}
