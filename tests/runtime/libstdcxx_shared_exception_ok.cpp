// Two threads look at one exception; whoever is last lets it go. The count that orders this is kept in libstdc++.so.
// EXPECT: verified
// ORACLE: native ThreadSanitizer does not see that count
#include <cassert>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <thread>

void look(std::exception_ptr shared) {
  try {
    std::rethrow_exception(shared);
  } catch (const std::runtime_error& error) {
    assert(!std::strcmp(error.what(), "a reason"));
  }
}

int main() {
  std::exception_ptr shared = std::make_exception_ptr(std::runtime_error("a reason"));
  std::thread a(look, shared), b(look, shared);
  shared = nullptr;
  a.join();
  b.join();
}
