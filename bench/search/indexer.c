// The indexer of Flanagan and Godefroid (002, fig. 1) with N threads.
#include "indexer.h"
