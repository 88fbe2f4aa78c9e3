// The file system benchmark of Flanagan and Godefroid (002, fig. 7) with N threads.
#include "fsbench.h"
