// Constructors run before main, allocate, and their threads are done by then.
// EXPECT: verified
#include <cassert>
#include <map>
#include <string>

static std::map<std::string, int> table = {{"a long enough key to be allocated", 1}, {"b", 2}};
static int from_constructor;
__attribute__((constructor)) static void early() { from_constructor = 7; }

int main() {
  assert(table.size() == 2 && table["b"] == 2);
  assert(from_constructor == 7);
  table["c"] = 3;
  assert(table.size() == 3);
}
