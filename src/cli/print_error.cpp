// How every command tells the user about an Error (the blame rule: what happened, why, the next thing to try).
#include <cstdio>

#include "cli/command.h"

namespace heddle {

int print_error(const Error& error) {
  std::fprintf(stderr, "heddle: %s\n", error.what.c_str());
  if (!error.next.empty()) std::fprintf(stderr, "heddle: %s\n", error.next.c_str());
  return static_cast<int>(error.code);
}

}  // namespace heddle
