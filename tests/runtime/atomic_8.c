// Atomics of 8 bytes.
// EXPECT: verified
#define TYPE unsigned long
#include "atomic_all.h"
