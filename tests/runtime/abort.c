// abort is a finding.
// EXPECT: bug abort
// LOCATION: HERE
#include <stdlib.h>

int main(void) {
  abort();  // HERE
}
