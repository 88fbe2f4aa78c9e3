// A library's counter, read and written in two steps.
// EXPECT: bug assertion
// LIBRARY: -O1
#define ADD atomic_store(&lib_counter, atomic_load(&lib_counter) + 1)
#include "lib_atomic.h"
