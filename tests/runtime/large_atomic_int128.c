// Atomics of 16 bytes without an instruction for them: what -mcx16 does otherwise (atomic_16.c).
// EXPECT: verified
// CFLAGS: -latomic
#define TYPE unsigned __int128
#include "atomic_all.h"
