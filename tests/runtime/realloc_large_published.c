// A large block that realloc has moved published by a release store.
// EXPECT: verified
#define MAKE block = realloc(malloc(100000), 200000)
#define AT 99999
#define ORDER memory_order_release
#include "published.h"
