// The C++ library's own definition of a function that stands in this folder, too.
#pragma once
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#define HEDDLE_UNSEEN __attribute__((no_sanitize("thread"), noinline))

namespace heddle::libstdcxx {

// The next definition of a symbol behind this module's: libstdc++.so's. A library of the program's
// may be loaded behind libstdc++.so; then there is none behind it. Null: there is no such symbol.
HEDDLE_UNSEEN inline void* find_in_shared_library(const char* symbol) {
  if (void* next = dlsym(RTLD_NEXT, symbol)) return next;
  void* library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
  return library ? dlsym(library, symbol) : nullptr;
}

// Looked up before main, or earlier if the constructor of a global object needs it; so no run ever writes
// the variable.
template <class Function>
class Real {
 public:
  HEDDLE_UNSEEN Function* get(const char* symbol) {
    if (!function_) function_ = reinterpret_cast<Function*>(find_in_shared_library(symbol));
    if (!function_) give_up(symbol);
    return function_;
  }

 private:
  HEDDLE_UNSEEN [[noreturn]] static void give_up(const char* symbol) {
    std::fprintf(stderr, "heddle: the shared C++ library has no %s\n", symbol);
    std::abort();
  }

  Function* function_ = nullptr;
};

}  // namespace heddle::libstdcxx

#define HEDDLE_BEFORE_MAIN __attribute__((constructor(101), no_sanitize("thread")))
