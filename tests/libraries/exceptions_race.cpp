// What a thread does before it throws is not ordered with what another does after it has thrown.
// EXPECT: bug data-race
#include <thread>
int x;
static void fail() {
  try {
    throw 1;
  } catch (int) {
  }
}
int main() {
  std::thread t([] {
    x = 1;
    fail();
  });
  fail();
  int seen = x;
  t.join();
  return seen > 1;
}
