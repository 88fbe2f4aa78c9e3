// Streams of two threads have nothing in common that the program could see: one execution.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <sstream>
#include <thread>
static void print() {
  for (int i = 0; i < 3; ++i) {
    std::ostringstream s;
    s << i << 0.5;
  }
}
int main() {
  std::thread t(print);
  print();
  t.join();
}
