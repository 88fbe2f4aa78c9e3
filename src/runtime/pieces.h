// Ranges in pieces: where plain accesses are scheduling points, a range is one for each of its words, in ascending order, so
// that others can come in between (hooks_pieces.cpp).
#pragma once
#include "runtime/runtime.h"

namespace heddle::rt {

OwedPieces& owed_pieces();

// An access by the program's own code, which comes right after the hook.
void range_access(uint64_t address, uint64_t size, bool write, uint64_t pc);
void settle_pieces();    // the first thing in every hook, where something is owed
void show_real_words();  // the part of it that lets no other thread run
inline void settle_if_owed() {
  if (HEDDLE_UNLIKELY(R().owes_pieces)) settle_pieces();
}

// What library functions do, as steps of the program. REQUIRES visible accesses.
void copy_in_pieces(void* to, const void* from, uint64_t n, uint64_t pc);
void set_in_pieces(void* to, int byte, uint64_t n, uint64_t pc);
uint64_t length_in_pieces(const char* s, uint64_t most, uint64_t pc);  // at most so many bytes are looked at
int compare_in_pieces(const void* a, const void* b, uint64_t n, bool strings, uint64_t pc);
// The bytes copied, at most `most`; the last of them is 0 if the string has ended before.
uint64_t copy_string_in_pieces(char* to, const char* from, uint64_t most, uint64_t pc);

}  // namespace heddle::rt
