// EXPECT: verified
#define WAITS
#include "lent_lock.h"
