// Atomics of 16 bytes.
// EXPECT: verified
// CFLAGS: -latomic -mcx16
#define TYPE unsigned __int128
#include "atomic_all.h"
