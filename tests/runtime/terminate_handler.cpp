// The program's own terminate handler runs.
// EXPECT: verified
#include <cstdlib>
#include <exception>

int main() {
  std::set_terminate([] { std::_Exit(0); });
  std::terminate();
}
