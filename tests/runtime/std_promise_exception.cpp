// A promise hands an exception to its future; a broken promise is an exception too.
// EXPECT: verified
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

template <class Exception>
static bool throws(std::future<int> future) {
  try {
    future.get();
  } catch (const Exception&) {
    return true;
  }
  return false;
}

int main() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread t([&] { promise.set_exception(std::make_exception_ptr(std::runtime_error("no"))); });
  assert(throws<std::runtime_error>(std::move(future)));
  t.join();

  std::future<int> orphan;
  { orphan = std::promise<int>().get_future(); }
  assert(throws<std::future_error>(std::move(orphan)));
}
