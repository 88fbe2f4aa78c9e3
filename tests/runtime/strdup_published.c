// A copy of strdup published by a release store.
// EXPECT: verified
#define MAKE block = strdup("heddle")
#define AT 3
#define ORDER memory_order_release
#include "published.h"
