// 000 fig. 1 without its assertion, so that there is no early end.
#define NDEBUG
#define N 64
#include "example1.h"
