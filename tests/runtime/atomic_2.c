// Atomics of 2 bytes.
// EXPECT: verified
#define TYPE unsigned short
#include "atomic_all.h"
