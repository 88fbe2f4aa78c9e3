// Destructors of static objects run at exit, after main's threads; what they find wrong is found.
// EXPECT: bug assertion
// LOCATION: HERE
#include <cassert>
#include <thread>

struct Ledger {
  int open = 0;
  ~Ledger() { assert(open == 0); }  // HERE
};
static Ledger ledger;

int main() {
  std::thread t([] { ledger.open++; });
  t.join();
}
