// A block that realloc has moved published by a relaxed store: what the function has stored in it is not ordered before the reads.
// EXPECT: bug data-race
#define MAKE block = realloc(malloc(8), 64)
#define AT 7
#define ORDER memory_order_relaxed
#include "published.h"
