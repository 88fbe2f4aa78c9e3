// Atomics of 3 bytes.
// EXPECT: verified
// CFLAGS: -latomic
typedef struct {
  signed char number, other, third;
} triple;
#define TYPE triple
#define MAKE(n) ((triple){(signed char)(n), 2, (signed char)(2 * (n))})
#define NUMBER(t) ((t).third == 2 * (t).number ? (t).number : -1)
#include "large_atomic.h"
