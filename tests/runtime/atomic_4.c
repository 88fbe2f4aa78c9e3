// Atomics of 4 bytes.
// EXPECT: verified
#define TYPE unsigned
#include "atomic_all.h"
