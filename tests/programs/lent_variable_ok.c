// EXPECT: verified
#define GIVES_BACK
#include "lent_variable.h"
