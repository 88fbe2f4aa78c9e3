// Theorems and invariants as assertions that stay on in release builds.
#pragma once

namespace heddle {
// Prints what broke and exits with 70 (internal error).
[[noreturn]] void check_failed(const char* condition, const char* file, int line, const char* why);
}  // namespace heddle

#define HEDDLE_CHECK(condition, why)                                              \
  do {                                                                            \
    if (!(condition)) [[unlikely]]                                                \
      ::heddle::check_failed(#condition, __FILE__, __LINE__, why);                \
  } while (false)
