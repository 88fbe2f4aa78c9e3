// The real function behind one that we stand in for: used in passive mode and before main.
#pragma once
#include <dlfcn.h>

#include "runtime/sys.h"

namespace heddle::rt {

inline void* resolve(void** cache, const char* name) {
  void* f = __atomic_load_n(cache, __ATOMIC_RELAXED);
  if (!f) {
    f = dlsym(RTLD_NEXT, name);
    __atomic_store_n(cache, f, __ATOMIC_RELAXED);
  }
  return f;
}

}  // namespace heddle::rt

// REAL(f)(args): calls the next definition of f after ours.
namespace heddle::rt {
template <auto kFunction>
struct RealOf {
  static inline void* cache = nullptr;
};
}  // namespace heddle::rt
#define REAL(f) (reinterpret_cast<decltype(&::f)>(::heddle::rt::resolve(&::heddle::rt::RealOf<&::f>::cache, #f)))
