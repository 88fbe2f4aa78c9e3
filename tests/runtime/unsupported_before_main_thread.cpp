// A global object starts a thread: refused, and the place is the program's own, not the library's that makes the call.
// EXPECT: unsupported
// MESSAGE: pthread_create.*unsupported_before_main_thread\.cpp:7
#include <thread>

struct Service {
  Service() : thread([] {}) {}
  ~Service() { thread.join(); }
  std::thread thread;
};

static Service service;

int main() {}
