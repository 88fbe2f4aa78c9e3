// Exceptions of two threads: the unwinder's own locks are nobody's business.
// EXPECT: verified
// EXECUTIONS: optimal=1
#include <stdexcept>
#include <thread>
static void fail() {
  for (int i = 0; i < 3; ++i) try {
      throw std::runtime_error("expected");
    } catch (const std::exception&) {
    }
}
int main() {
  std::thread t(fail);
  fail();
  t.join();
}
