// A failed assertion names its text and place.
// EXPECT: bug assertion
// MESSAGE: x == 2
// LOCATION: HERE
#include <assert.h>

int main(void) {
  volatile int x = 1;
  assert(x == 2);  // HERE
  return 0;
}
