// A library's counter.
// EXPECT: verified
// LIBRARY: -O1
#define ADD atomic_fetch_add(&lib_counter, 1)
#include "lib_atomic.h"
