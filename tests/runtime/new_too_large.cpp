// new throws when there is not enough memory; the nothrow form returns null.
// EXPECT: verified
// ORACLE: native ThreadSanitizer stops at such a size
#include <cassert>
#include <cstdint>
#include <new>

static void* volatile block;  // volatile: the compiler may not guess what an unused allocation returns

int main() {
  volatile std::size_t huge = SIZE_MAX / 4;
  bool thrown = false;
  try {
    block = ::operator new(huge);
  } catch (const std::bad_alloc&) {
    thrown = true;
  }
  assert(thrown);
  block = ::operator new(huge, std::nothrow);
  assert(block == nullptr);
}
