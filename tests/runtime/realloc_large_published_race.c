// A large block that realloc has moved published by a relaxed store: what the function has stored in it is not ordered before the reads.
// EXPECT: bug data-race
#define MAKE block = realloc(malloc(100000), 200000)
#define AT 99999
#define ORDER memory_order_relaxed
#include "published.h"
