// Notes on what the program does and the runtime does not see, for the verdict to name.
#pragma once
#include <stdint.h>

#include "wire/uncovered.h"

namespace heddle::rt {

// `pc`: the instruction or the call; 0: no place in particular. `function`: what is called, or the
// library; null or empty: the function around `pc`. Equal notes are kept once. It goes through all
// notes that there are, so a place on a hot path remembers that it has noted itself.
void note_uncovered(wire::UncoveredKind kind, uint64_t pc, const char* function, const char* reason);

}  // namespace heddle::rt
