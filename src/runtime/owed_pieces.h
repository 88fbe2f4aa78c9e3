// What a thread owes between two hooks, of an access to more than a word (hooks_pieces.cpp).
#pragma once
#include <stdint.h>

namespace heddle::rt {

inline constexpr uint32_t kMostPieces = 128;

struct Piece {
  uint64_t address;
  uint64_t value;
  uint8_t size;
};

struct PieceList {
  uint32_t count;
  Piece piece[kMostPieces];
};

// What the running thread still owes, from the hook that announced a range until the next one: the program's own code copies
// in between.
struct OwedPieces {
  uint64_t address, size, pc;  // a range that the program is about to write
  PieceList before;            // how it was
  PieceList real;              // words that the program is to read as they were at their turn, and what is there now
};
}  // namespace heddle::rt
