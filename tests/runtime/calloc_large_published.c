// A large block of calloc published by a release store.
// EXPECT: verified
#define MAKE block = calloc(1 << 16, 16)
#define AT 500001
#define ORDER memory_order_release
#include "published.h"
