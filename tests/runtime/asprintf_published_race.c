// A text of asprintf published by a relaxed store: what the function has stored in it is not ordered before the reads.
// EXPECT: bug data-race
#define MAKE if (asprintf(&block, "%d", 4711) < 0) block = 0
#define AT 2
#define ORDER memory_order_relaxed
#include "published.h"
