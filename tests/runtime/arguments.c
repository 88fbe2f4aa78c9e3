// Arguments reach the program.
// EXPECT: verified
// ARGS: one two
#include <assert.h>
#include <string.h>

int main(int count, char** arguments) {
  assert(count == 3 && strcmp(arguments[1], "one") == 0 && strcmp(arguments[2], "two") == 0);
  return 0;
}
