// Two threads throw, hold and catch exceptions while the other does the same.
// EXPECT: verified
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

static std::mutex step;

static void work(const std::string& name) {
  try {
    std::lock_guard guard(step);
    throw std::runtime_error(name);
  } catch (const std::runtime_error& error) {
    assert(std::uncaught_exceptions() == 0);
    { std::lock_guard guard(step); }
    assert(error.what() == name);
  }
}

int main() {
  std::thread a(work, "a"), b(work, "b");
  a.join();
  b.join();
}
