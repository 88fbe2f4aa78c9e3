// A large block of calloc published by a relaxed store: what the function has stored in it is not ordered before the reads.
// EXPECT: bug data-race
#define MAKE block = calloc(1 << 16, 16)
#define AT 500001
#define ORDER memory_order_relaxed
#include "published.h"
