// A block of calloc published by a relaxed store: what the function has stored in it is not ordered before the reads.
// EXPECT: bug data-race
#define MAKE block = calloc(4, 4)
#define AT 9
#define ORDER memory_order_relaxed
#include "published.h"
