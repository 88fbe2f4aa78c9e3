// std::thread: arguments, ids, moving, joinable, and an ordered end.
// EXPECT: verified
#include <cassert>
#include <memory>
#include <thread>

int main() {
  int result = 0;
  std::thread t([](std::unique_ptr<int> value, int& out) { out = *value; }, std::make_unique<int>(42), std::ref(result));
  assert(t.joinable() && t.get_id() != std::this_thread::get_id());
  std::thread moved = std::move(t);
  assert(!t.joinable());
  moved.join();
  assert(result == 42);
}
