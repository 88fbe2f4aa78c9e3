// A text of asprintf published by a release store.
// EXPECT: verified
#define MAKE if (asprintf(&block, "%d", 4711) < 0) block = 0
#define AT 2
#define ORDER memory_order_release
#include "published.h"
