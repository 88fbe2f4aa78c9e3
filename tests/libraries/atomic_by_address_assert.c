// A counter of which a library tells the address, read and written in two steps.
// EXPECT: bug assertion
// LIBRARY: -O1
#define ADD atomic_store(lib_other_counter(), atomic_load(lib_other_counter()) + 1)
#include "lib_atomic.h"
