// A pointer to a thread-local variable outlives the thread.
// EXPECT: bug use-after-return
// LOCATION: HERE
#include <thread>

static thread_local int variable;
static int* pointer;

int main() {
  std::thread([] {
    variable = 5;
    pointer = &variable;
  }).join();
  return *pointer == 4;  // HERE
}
