// All forms of new and delete.
// EXPECT: verified
// CFLAGS: -fsized-deallocation
#include <cassert>
#include <cstdint>
#include <memory>
#include <new>

struct alignas(64) Wide {
  int value = 7;
};
struct Tracked {
  static inline int alive = 0;
  Tracked() { ++alive; }
  ~Tracked() { --alive; }
};

int main() {
  auto* one = new int(1);
  auto* many = new Tracked[3];
  assert(*one == 1 && Tracked::alive == 3);
  delete one;
  delete[] many;
  assert(Tracked::alive == 0);
  auto* wide = new Wide;
  auto* wides = new Wide[2];
  assert(reinterpret_cast<std::uintptr_t>(wide) % 64 == 0 && reinterpret_cast<std::uintptr_t>(wides) % 64 == 0);
  delete wide;
  delete[] wides;
  auto* quiet = new (std::nothrow) int[4];
  assert(quiet);
  delete[] quiet;
  alignas(Tracked) char place[sizeof(Tracked)];
  auto* placed = new (place) Tracked;
  placed->~Tracked();
  ::operator delete(::operator new(10), std::size_t{10});
  ::operator delete(::operator new(10, std::align_val_t{128}), std::align_val_t{128});
}
