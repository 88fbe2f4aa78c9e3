// Streams from two threads.
// EXPECT: verified
#include <iostream>
#include <sstream>
#include <thread>

int main() {
  auto work = [](int me) {
    std::ostringstream text;
    text << "thread " << me << '\n';
    std::cout << text.str() << std::flush;
    std::cerr << me;
  };
  std::thread a(work, 1), b(work, 2);
  a.join();
  b.join();
}
