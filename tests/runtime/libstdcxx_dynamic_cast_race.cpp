// dynamic_cast looks at the object's type in libstdc++.so.
// EXPECT: bug data-race
#include <atomic>
#include <new>
#include <thread>

struct Base { virtual ~Base() {} };
struct Derived : Base { int n = 0; };

alignas(Derived) char room[sizeof(Derived)];
Base* object = new (room) Derived;
std::atomic<bool> is_derived;

int main() {
  std::thread a([] { new (room) Base; });
  std::thread b([] { is_derived = dynamic_cast<Derived*>(object) != nullptr; });
  a.join();
  b.join();
}
