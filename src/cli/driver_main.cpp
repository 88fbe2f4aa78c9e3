// `heddle-cc` and `heddle-c++`: the compiler drivers as a program of their own, which loads nothing but libc and so
// starts in a millisecond. Configure scripts call it hundreds of times. The name it is called by decides the language.
#include <string_view>

#include "cli/command.h"

int main(int argc, char** argv) {
  const std::string_view name = argc > 0 ? argv[0] : "";
  return name.ends_with("++") ? heddle::run_cxx(argc, argv) : heddle::run_cc(argc, argv);
}
