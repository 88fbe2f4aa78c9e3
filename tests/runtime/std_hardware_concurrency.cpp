// The number of processors is one that does not depend on the machine, and at least one.
// EXPECT: verified
#include <sched.h>
#include <unistd.h>

#include <cassert>
#include <thread>

int main() {
  assert(std::thread::hardware_concurrency() >= 1);
  assert(sysconf(_SC_NPROCESSORS_ONLN) >= 1);
}
