// Accesses that code linked into the program announces for functions of libstdc++.so that it calls next (libstdcxx/calls.cpp),
// with the place in the program that calls them.
#include "runtime/hooks.h"

using namespace heddle::rt;

HEDDLE_EXPORT void heddle_announce_access(const void* address, unsigned long size, int write, uint64_t pc) {
  if (running() && R().current && !R().in_runtime) access(raw(address), size, write != 0, pc);
}
