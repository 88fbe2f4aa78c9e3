// heddle_choose: as many executions as combinations.
// EXPECT: verified
// ORACLE: none needs heddle's header
// EXECUTIONS: dfs=6 optimal=6
#include <assert.h>
#include <heddle/heddle.h>

int main(void) {
  int a = heddle_choose(2), b = heddle_choose(3);
  assert(a * 3 + b < 6);
  return 0;
}
