// A raised signal without a handler ends the program: a finding.
// EXPECT: bug crash|abort
#include <signal.h>

int main(void) {
  raise(SIGTERM);
  return 0;
}
