// Two increments made of an atomic load and an atomic store: no data race, but one increment can be lost.
// EXPECT: bug assertion
#include "lost_update.h"
