// An exception that leaves a thread's function ends the program.
// EXPECT: bug exception|abort
#include <stdexcept>
#include <thread>

int main() {
  std::thread t([] { throw std::runtime_error("nobody catches this"); });
  t.join();
}
