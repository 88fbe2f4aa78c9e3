// Memory that no race is reported for: what the C++ library keeps to itself, and the standard
// streams.
//
// The data of libstdc++.so (the classic locale and its facets, the buffers of the standard streams)
// is guarded in ways that are not seen, and none of the program's. cout, cin, cerr, clog and their
// wide twins may be used by threads without a lock
// ([iostream.objects.overview]) as long as they are synchronised with C's streams; programs have
// copies of these objects in their own data.
//
// What this can miss: a race of the library's own.
#pragma once
#include <stdint.h>

#include "runtime/runtime.h"

// False while the program has said sync_with_stdio(false). Program data, so that each run begins
// with true.
extern "C" bool heddle_streams_synchronised;

namespace heddle::rt {

struct Exempt {
  static constexpr int kStreams = 8;
  MemoryRange library;
  MemoryRange constants;  // the program's code and read-only data: who reads there meets nobody
  MemoryRange stream[kStreams];
  MemoryRange streams;  // around all of them; empty where none lies outside of the library
};
extern Exempt exempt;  // constant from the stop at main on

void find_exempt();  // REQUIRES that the modules are known

bool is_standard_stream(uint64_t address);

inline bool within(const MemoryRange& r, uint64_t address) {
  return address - r.low < r.high - r.low;
}

inline bool is_exempt(uint64_t address) {
  if (within(exempt.constants, address)) return true;
  if (HEDDLE_UNLIKELY(within(exempt.library, address)))
    return heddle_streams_synchronised || !is_standard_stream(address);
  return HEDDLE_UNLIKELY(within(exempt.streams, address)) && heddle_streams_synchronised &&
         is_standard_stream(address);
}

}  // namespace heddle::rt
