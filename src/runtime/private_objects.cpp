// Which synchronisation inside libraries is nobody's business but the library's own.
//
// An operation is visible by who makes it happen. A lock, a semaphore or an atomic variable that
// lies in a library counts like any other, whoever calls: the program itself, or a function of the
// library that the program has called. Here is the list of the exceptions, each with its reason. An
// entry is sound if all of this holds:
//
//   - only the library's own code can name the object: no function returns it, and nobody exports
//   it;
//   - what it guards is decided before the program starts (constants, tables, which code is
//   loaded), so that nobody can tell
//     which thread did the work, or whether it was done before;
//   - no code of the program runs while it is held, and its owner allocates nothing: the addresses
//   of a thread's blocks
//     must not depend on who came first.
//
// Such an operation is performed at once if it can be. If it cannot, its owner was stopped in the
// middle, and the operation waits its turn like any other. It orders nothing (announce.cpp): only
// one order of such operations is ever tried, and an order that holds by accident would hide the
// races around it.
//
// Locks of libc need no entry: libc calls its own functions inside, which are no hooks of ours.
#include "runtime/runtime.h"

namespace heddle::rt {
namespace {

struct Private {
  const char* library;  // how its file's name begins
  Kind kind;            // None: every kind
};

constexpr Private kPrivate[] = {
    // The unwinder: tables of registers, made once, and the list of unwind tables, which follows
    // what is loaded. Every exception
    // that is thrown comes by here.
    {"libgcc_s.so", Kind::None},
    // libstdc++: locale::classic() and the C locale are made once from constants, in static memory;
    // keys of thread-local
    // data. Every stream that is constructed asks for the first of them. Its mutexes are not
    // listed: those of atomic
    // operations on shared_ptr, of locale::global() and of the debug mode's iterators guard what
    // the program can see.
    {"libstdc++.so", Kind::Once},
    // libstdc++: how often the classic locale and its facets are referred to. They are never
    // destroyed, so that nobody
    // can tell what the number is. The header's and the drivers' copies of its functions change it,
    // too.
    {"libstdc++.so", Kind::Atomic},
};

const char* file_name(const char* path) {
  const char* name = path;
  for (const char* c = path; *c; ++c)
    if (*c == '/') name = c + 1;
  return name;
}

bool begins_with(const char* text, const char* prefix) {
  return heddle_rt_memcmp(text, prefix, length_of(prefix)) == 0;
}

}  // namespace

bool is_private_object(wire::Address name, Kind kind) {
  if (wire::region_of(name) != wire::Region::Module) return false;
  const wire::Module& module = R().segment->modules[wire::index_of(name)];
  if (module.instrumented) return false;
  const char* library = file_name(module.path);
  for (const Private& p : kPrivate)
    if (begins_with(library, p.library) && (p.kind == Kind::None || p.kind == kind)) return true;
  return false;
}

}  // namespace heddle::rt
