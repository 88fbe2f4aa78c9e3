// Atomics of 24 bytes.
// EXPECT: verified
// CFLAGS: -latomic
typedef struct {
  long number, other, third;
} triple;
#define TYPE triple
#define MAKE(n) ((triple){(n), 2 * (n), 3 * (n)})
#define NUMBER(t) ((t).third == 3 * (t).number ? (t).number : -1)
#include "large_atomic.h"
