// EXPECT: bug use-after-return
#include "lent_variable.h"
