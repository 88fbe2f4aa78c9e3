#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace heddle {

void check_failed(const char* condition, const char* file, int line, const char* why) {
  std::fprintf(stderr, "heddle: internal error: %s\n  %s does not hold at %s:%d\n  This is a bug in heddle; please report it.\n",
               why, condition, file, line);
  std::fflush(nullptr);
  std::_Exit(70);
}

}  // namespace heddle
