// A std::thread that is destroyed while joinable calls std::terminate.
// EXPECT: bug abort|exception
#include <thread>

int main() {
  std::thread t([] {});
}
