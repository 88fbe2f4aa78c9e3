// An operand of an atomic operation on 24 bytes that another thread writes: CALL is what the one does.
#include <stdatomic.h>

#include "together.h"

typedef struct {
  long a, b, c;
} triple;
triple shared, operand, other;
static void* operate(void* unused) {
  CALL;
  return unused;
}
static void* disturb(void* unused) {
  operand.b = 1;
  return unused;
}
int main(void) {
  together(operate, disturb);
  return 0;
}
