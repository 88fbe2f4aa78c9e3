// Libraries that were not built with heddle cc and synchronise by atomics of their own: what these order would look like races, and where
// they switch nobody is asked. Refused as soon as one starts a thread or has to wait.
#include "runtime/runtime.h"

namespace heddle::rt {
namespace {

const char* file_name(const char* path) {
  const char* name = path;
  for (const char* c = path; *c; ++c)
    if (*c == '/') name = c + 1;
  return name;
}

bool begins_with(const char* text, const char* prefix) { return heddle_rt_memcmp(text, prefix, length_of(prefix)) == 0; }

// The library that `pc` is in; null for code that is watched.
const char* foreign_library(uint64_t pc) {
  const wire::Module* m = module_of(pc);
  return m && !m->instrumented ? file_name(m->path) : nullptr;
}

}  // namespace

void refuse_foreign_threads(uint64_t pc) {
  const char* library = foreign_library(pc);
  if (!library) return;
  auto is = [library](const char* prefix) { return begins_with(library, prefix); };
  if (is("libgomp.so") || is("libomp.so") || is("libiomp5.so")) unsupported("OpenMP", pc, "with more than one thread");
  if (is("libtbb.so")) unsupported("TBB", pc, "with more than one thread");
  if (is("libglib-2.0.so")) unsupported("GLib's threads", pc, "(it was not built with heddle-cc: what its locks order cannot be seen)");
}

// The C++ libraries' futexes are known (hooks_sync.cpp, hooks_future.cpp), and what of them lies in headers is watched.
void refuse_foreign_futex(uint64_t pc) {
  const char* library = foreign_library(pc);
  if (!library || begins_with(library, "libstdc++.so") || begins_with(library, "libc++.so")) return;
  char why[160];
  Text(why, sizeof why) << "inside " << library << ", which was not built with heddle-cc: what its locks order cannot be seen";
  unsupported("futex", pc, why);
}

}  // namespace heddle::rt
