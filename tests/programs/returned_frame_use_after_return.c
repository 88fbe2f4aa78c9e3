// EXPECT: bug use-after-return
#include "returned_frame.h"
