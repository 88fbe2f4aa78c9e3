// A block that has been used twice is freed twice, and dead after that.
// EXPECT: bug use-after-free
// LOCATION: HERE
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 300; i++) {
    void* volatile never_touched = malloc(1 << 20);
    if (!never_touched) return 1;
  }
  int* volatile once = malloc(sizeof(int));
  free(once);
  int* volatile again = malloc(sizeof(int));
  if (again != once) return 2;  // memory is short: the same block
  free(again);
  return *again;  // HERE
}
