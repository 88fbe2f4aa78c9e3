// A block of calloc published by a release store.
// EXPECT: verified
#define MAKE block = calloc(4, 4)
#define AT 9
#define ORDER memory_order_release
#include "published.h"
