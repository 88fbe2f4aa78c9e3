// The C++ library's own definition of a function that stands in this folder, too.
#pragma once
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#define HEDDLE_UNSEEN __attribute__((no_sanitize("thread"), noinline))

namespace heddle::libstdcxx {

// The next definition of a symbol behind this module's: libstdc++.so's. It is looked up before
// main, or earlier if the constructor of a global object needs it earlier; so no run ever writes
// the variable.
template <class Function>
class Real {
 public:
  HEDDLE_UNSEEN Function* get(const char* symbol) {
    if (!function_) function_ = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, symbol));
    if (!function_) function_ = reinterpret_cast<Function*>(in_shared_library(symbol));
    if (!function_) give_up(symbol);
    return function_;
  }

 private:
  // For a module that was loaded behind libstdc++.so: a library of the program's.
  HEDDLE_UNSEEN static void* in_shared_library(const char* symbol) {
    void* library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
    return library ? dlsym(library, symbol) : nullptr;
  }
  HEDDLE_UNSEEN [[noreturn]] static void give_up(const char* symbol) {
    std::fprintf(stderr, "heddle: the shared C++ library has no %s\n", symbol);
    std::abort();
  }

  Function* function_ = nullptr;
};

}  // namespace heddle::libstdcxx

#define HEDDLE_BEFORE_MAIN __attribute__((constructor(101), no_sanitize("thread")))
