// std::to_chars and std::from_chars of floating-point numbers, which libstdc++.so has compiled.
// Where the text ends is known afterwards only: it is announced then.
#include <charconv>

#include "announce.h"
#include "real.h"

#define HEDDLE_TO_CHARS(T, symbol, PARAMETERS, ARGUMENTS)                           \
  namespace {                                                                       \
  heddle::libstdcxx::Real<std::to_chars_result PARAMETERS> symbol;                  \
  HEDDLE_BEFORE_MAIN void find_##symbol() { symbol.get(#symbol); }                  \
  }                                                                                 \
  std::to_chars_result std::to_chars PARAMETERS noexcept {                          \
    const std::to_chars_result result = ::symbol.get(#symbol) ARGUMENTS;            \
    heddle::libstdcxx::writes(first, static_cast<std::size_t>(result.ptr - first)); \
    return result;                                                                  \
  }

#define HEDDLE_TO_CHARS_ALL(T, letter)                                                         \
  HEDDLE_TO_CHARS(T, _ZSt8to_charsPcS_##letter, (char* first, char* last, T value),            \
                  (first, last, value))                                                        \
  HEDDLE_TO_CHARS(T, _ZSt8to_charsPcS_##letter##St12chars_format,                              \
                  (char* first, char* last, T value, std::chars_format format),                \
                  (first, last, value, format))                                                \
  HEDDLE_TO_CHARS(T, _ZSt8to_charsPcS_##letter##St12chars_formati,                             \
                  (char* first, char* last, T value, std::chars_format format, int precision), \
                  (first, last, value, format, precision))

#define HEDDLE_FROM_CHARS(T, symbol)                                                               \
  namespace {                                                                                      \
  heddle::libstdcxx::Real<std::from_chars_result(const char*, const char*, T&, std::chars_format)> \
      symbol;                                                                                      \
  HEDDLE_BEFORE_MAIN void find_##symbol() { symbol.get(#symbol); }                                 \
  }                                                                                                \
  std::from_chars_result std::from_chars(const char* first, const char* last, T& value,            \
                                         std::chars_format format) noexcept {                      \
    T number;                                                                                      \
    const std::from_chars_result result = ::symbol.get(#symbol)(first, last, number, format);      \
    const char* seen = result.ptr < last ? result.ptr + 1 : last;                                  \
    heddle::libstdcxx::reads(first, static_cast<std::size_t>(seen - first));                       \
    if (result.ec == std::errc()) value = number;                                                  \
    return result;                                                                                 \
  }

HEDDLE_TO_CHARS_ALL(float, f)
HEDDLE_TO_CHARS_ALL(double, d)
HEDDLE_TO_CHARS_ALL(long double, e)
HEDDLE_FROM_CHARS(float, _ZSt10from_charsPKcS0_RfSt12chars_format)
HEDDLE_FROM_CHARS(double, _ZSt10from_charsPKcS0_RdSt12chars_format)
HEDDLE_FROM_CHARS(long double, _ZSt10from_charsPKcS0_ReSt12chars_format)
