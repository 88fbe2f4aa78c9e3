// A virtual call races with the destructor that puts the base class's table back.
// EXPECT: bug data-race|use-after-free
#include <thread>

struct Base {
  virtual ~Base() {}
  virtual int value() { return 1; }
};
struct Derived : Base {
  ~Derived() override {}
  int value() override { return 2; }
};

int main() {
  Base* object = new Derived;
  std::thread caller([=] { object->value(); });
  delete object;
  caller.join();
}
