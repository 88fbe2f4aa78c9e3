// EXPECT: verified
#define WAITS
#include "returned_frame.h"
