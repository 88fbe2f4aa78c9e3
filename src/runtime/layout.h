// Where the runtime's memory lies in the tested process. Fixed addresses: no pointer has to be loaded to find the runtime's
// state, and none of it is in memory that a rollback restores.
#pragma once
#include <stdint.h>

#include "wire/wire.h"

namespace heddle::rt::layout {

inline constexpr uint64_t kPage = 4096;

inline constexpr uint64_t kState = 0x6000'0000'0000;      // Runtime
inline constexpr uint64_t kStateBytes = 1ULL << 32;
inline constexpr uint64_t kStore = 0x6008'0000'0000;      // original contents of hot pages
inline constexpr uint64_t kStoreBytes = 1ULL << 36;
inline constexpr uint64_t kMirror = 0x6018'0000'0000;     // last captured contents of hot pages, in their order (mirror.cpp)
inline constexpr uint64_t kMirrorBytes = 1ULL << 33;
inline constexpr uint64_t kStackMirror = 0x601a'0000'0000;  // last captured contents of the stacks, kStackBytes a slot
inline constexpr uint64_t kSegment = 0x6020'0000'0000;    // shared with the explorer
inline constexpr uint64_t kFullStates = 0x60c0'0000'0000;  // verify.cpp
inline constexpr uint64_t kFullStatesBytes = 1ULL << 37;
inline constexpr uint64_t kLocalStates = 0x60e0'0000'0000;  // delta.cpp
inline constexpr uint64_t kLocalStatesBytes = 1ULL << 32;
inline constexpr uint64_t kHeap = 0x6100'0000'0000;       // one arena a thread
inline constexpr uint64_t kArenaBytes = 1ULL << 34;
inline constexpr uint64_t kHeapEnd = kHeap + kArenaBytes * wire::kMaxThreads;
inline constexpr uint64_t kStacks = 0x6400'0000'0000;     // one slot a thread: guard, stack, thread-local storage on top
inline constexpr uint64_t kStackSlot = 1ULL << 26;
inline constexpr uint64_t kStackBytes = 8ULL << 20;
inline constexpr uint64_t kExitBufferBytes = 256;         // above a fiber's first frame (thread_entry.c); main's lies at the top of its stack
inline constexpr uint64_t kStacksEnd = kStacks + kStackSlot * wire::kMaxThreads;

// Shadow of an address: keep its low 44 bits. Program (0x55…), libraries and stack (0x7f…), heap and stacks above and a
// program linked at a fixed low address all fall on different places.
inline constexpr uint64_t kAddressMask = (1ULL << 44) - 1;
inline constexpr uint64_t kShadow = 0x1000'0000'0000;     // 16 bytes for 8
inline constexpr uint64_t kShadowBytes = 1ULL << 45;
inline constexpr uint64_t kPcShadow = 0x3000'0000'0000;   // 8 bytes for 8: the code that made the shadow entries
inline constexpr uint64_t kPcShadowBytes = 1ULL << 44;

constexpr uint64_t stack_low(int slot) { return kStacks + kStackSlot * (slot + 1) - kStackBytes; }
constexpr uint64_t stack_high(int slot) { return kStacks + kStackSlot * (slot + 1); }
inline constexpr uint64_t kStackMirrorBytes = kStackBytes * wire::kMaxThreads;
constexpr uint64_t stack_mirror(int slot, uint64_t address) { return kStackMirror + kStackBytes * slot + (address - stack_low(slot)); }
constexpr uint64_t arena_low(int slot) { return kHeap + kArenaBytes * slot; }
constexpr bool in_heap(uint64_t a) { return a >= kHeap && a < kHeapEnd; }
constexpr bool in_stacks(uint64_t a) { return a >= kStacks && a < kStacksEnd; }

}  // namespace heddle::rt::layout
