// heddle_choose: every value is tried.
// EXPECT: bug assertion
#include <assert.h>
#include <heddle/heddle.h>

int main(void) {
  int a = heddle_choose(3), b = heddle_choose(3);
  assert(0 <= a && a < 3);
  assert(!(a == 2 && b == 1));
  return 0;
}
