// Atomics of 1 byte.
// EXPECT: verified
#define TYPE unsigned char
#include "atomic_all.h"
