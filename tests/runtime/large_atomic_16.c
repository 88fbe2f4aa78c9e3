// Atomics of 16 bytes: a struct of two pointers' size.
// EXPECT: verified
// CFLAGS: -latomic
typedef struct {
  long number, other;
} pair;
#define TYPE pair
#define MAKE(n) ((pair){(n), 2 * (n)})
#define NUMBER(t) ((t).other == 2 * (t).number ? (t).number : -1)
#include "large_atomic.h"
