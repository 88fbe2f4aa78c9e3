// How long the memory of a thread lives that is neither global nor on the heap: its stack, its thread-local
// storage, and the variables of its functions (lifetimes.cpp).
#pragma once
#include "runtime/runtime.h"

namespace heddle::rt {

inline bool is_of_other_stack(uint64_t address) {
  return layout::in_stacks(address) && address - layout::stack_low(self().slot) >= layout::kStackBytes;
}
inline bool is_shared(const MemoryRange& r) { return r.low < r.high; }

void lifetimes_begin(Thread& t);
// The running thread accesses memory of another one. Ends the run if that is gone.
void access_other_stack(uint64_t address, uint64_t size, uint8_t access, uint64_t pc);
// The running thread's innermost function is about to return. `hook`: the frame of the hook that tells.
void frame_ends(Thread& t, uint64_t hook, uint64_t pc);
// The running thread has done everything that it does.
void thread_ends(Thread& t);

// race.cpp: an access by another thread to [low, high) that does not happen before what the running thread does now.
struct Earlier {
  uint64_t address;
  uint32_t size;
  uint8_t thread;
  uint8_t access;
  uint32_t clock;
  wire::Address pc;
};
bool find_unordered(uint64_t low, uint64_t high, Earlier& found);

}  // namespace heddle::rt
