// Atomics of 100 bytes, which is no multiple of a word.
// EXPECT: verified
// CFLAGS: -latomic
typedef struct {
  int number, other[23], last;
} many;
#define TYPE many
#define MAKE(n) ((many){.number = (int)(n), .last = (int)(n)})
#define NUMBER(t) ((t).last == (t).number ? (t).number : -1)
#include "large_atomic.h"
