// A static object is destroyed at exit while a detached thread still uses it.
// EXPECT: bug data-race|use-after-free
#include <string>
#include <thread>

static std::string name = "a name that is too long to be stored inside the object";

int main() {
  std::thread([] { name[0] = 'A'; }).detach();
}
