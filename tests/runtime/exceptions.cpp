// Exceptions thrown, nested, rethrown and caught while another thread does the same.
// EXPECT: verified
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <string>
#include <thread>

static std::atomic<int> steps;

static void inner(const std::string& name) {
  try {
    ++steps;
    throw std::runtime_error(name);
  } catch (const std::runtime_error&) {
    ++steps;
    throw;
  }
}

static void work(const char* name) {
  try {
    inner(name);
    assert(false);
  } catch (const std::exception& error) {
    assert(std::string(error.what()) == name);
  }
}

int main() {
  std::thread a(work, "first"), b(work, "second");
  a.join();
  b.join();
}
