// A promise hands a value to its future, in order.
// EXPECT: verified
#include <cassert>
#include <future>
#include <string>
#include <thread>

int main() {
  std::promise<std::string> promise;
  auto future = promise.get_future();
  std::thread t([&] { promise.set_value("a string that is too long for the small buffer"); });
  assert(future.get().size() > 15);
  t.join();
}
