// The first stream of a program makes libstdc++'s locale. That orders nothing of the program's.
// EXPECT: bug data-race
#include <sstream>
#include <thread>
int x;
int main() {
  std::thread t([] {
    x = 1;
    std::ostringstream s;
    s << 1;
  });
  std::ostringstream s;
  s << 2;
  int seen = x;
  t.join();
  return seen > 1;
}
