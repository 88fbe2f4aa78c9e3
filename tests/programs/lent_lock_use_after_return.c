// EXPECT: bug use-after-return
#include "lent_lock.h"
