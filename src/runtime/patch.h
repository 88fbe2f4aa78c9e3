// Load-time patching: accesses that no hook announces are made through trampolines (wire/patch.h) that announce them.
//
// At the stop at main the runtime asks the explorer for patches of the loaded modules (patch_ask) and applies them before
// anything runs or is saved (patch_apply), so that they belong to the process as it is at main, whatever carries its runs.
#pragma once
#include "runtime/runtime.h"
#include "wire/patch.h"

extern "C" void heddle_patched();  // patch_entry.S: what trampolines call

namespace heddle::rt {

void patch_ask();    // REQUIRES that the modules are known
void patch_apply();  // waits for the explorer. REQUIRES that no other thread runs

// The place in the program that the code at `pc` stands for: of a trampoline, the instruction that was moved there.
uint64_t original_pc(uint64_t pc);

// The code as the program was linked, where it lies in a module: `count` bytes from `at` on.
void original_code(uint64_t at, uint8_t* to, uint32_t count);

// Where execution goes on after a trap at `pc`; 0: the trap is the program's own.
uint64_t patch_target(uint64_t pc);

// Is the access by the instruction at `pc` announced by a trampoline? Unseen: its function has no hooks at all.
enum class Patched : uint8_t { No, Yes, Unseen };
Patched patched(uint64_t pc);

}  // namespace heddle::rt
