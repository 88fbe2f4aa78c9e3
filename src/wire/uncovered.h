// What the tested program does and heddle does not see, as the target notes it down while it runs.
//
// The notes stand in the segment, not in a trace: a run that was made ahead of time and is then
// dropped has seen the place all the same, and notes outlive the target. The table only grows.
#pragma once
#include <stdint.h>

namespace heddle::wire {

enum class UncoveredKind : uint8_t {
  Access,   // an instruction that accesses memory, and no hook announces it
  Call,     // a call of a function of which is not known what it accesses
  Library,  // something that a library does which was not built with the drivers
  Code,     // code that could not be followed
  kCount
};

// One place. A place is noted once, however often it is passed.
struct UncoveredNote {
  uint64_t pc = 0;         // the instruction or the call, as an Address; 0: no place in particular
  UncoveredKind kind{};
  uint8_t pad[7] = {};
  char function[80] = {};  // that is called, or the library; empty: the function around `pc`
  char reason[160] = {};   // a few words: why it is not seen
};
static_assert(sizeof(UncoveredNote) == 256);

inline constexpr int kMaxUncovered = 512;

struct UncoveredTable {
  uint32_t count = 0;    // grows once a note is complete
  uint32_t dropped = 0;  // notes that found no room: so many calls of note_uncovered(), not places
  UncoveredNote notes[kMaxUncovered];
};

}  // namespace heddle::wire
