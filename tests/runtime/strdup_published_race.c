// A copy of strdup published by a relaxed store: what the function has stored in it is not ordered before the reads.
// EXPECT: bug data-race
#define MAKE block = strdup("heddle")
#define AT 3
#define ORDER memory_order_relaxed
#include "published.h"
