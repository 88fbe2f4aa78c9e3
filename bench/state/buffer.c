// Two producers, two consumers.
#define SLOTS 2
#include "bounded_buffer_2_2.h"
