// A block that realloc has moved published by a release store.
// EXPECT: verified
#define MAKE block = realloc(malloc(8), 64)
#define AT 7
#define ORDER memory_order_release
#include "published.h"
