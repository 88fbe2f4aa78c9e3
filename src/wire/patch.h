// The patch image: what the explorer wants changed in the target's code before main runs.
//
// The target reserves memory near each instrumented module (Segment::patch_rooms) and waits at main. The explorer writes the
// image to the start of the trace ring, which is not in use yet. It holds, one after the other and each 8-byte aligned:
//
//   PatchImage
//   PatchCode and its bytes     per module: what goes to the start of the module's room
//   PatchWrite …                bytes to overwrite in the code of the modules
//   PatchMoved …                where the instructions that were moved came from, by their new address
//
// All addresses are those of this target. Plain data of fixed layout, like the rest of the wire format.
#pragma once
#include <stdint.h>

namespace heddle::wire {

// Room for code near a module; 0, 0: none.
struct PatchRoom {
  uint64_t begin = 0, end = 0;
};

struct PatchImage {
  uint32_t codes = 0;
  uint32_t writes = 0;
  uint32_t moved = 0;
  uint32_t pad = 0;
};

struct PatchCode {
  uint64_t address = 0;
  uint64_t bytes = 0;  // multiple of 8
};

struct PatchWrite {
  uint64_t address = 0;
  uint64_t target = 0;  // where the code goes on instead
  uint8_t length = 0;   // of the bytes that change: a jump, or a trap
  uint8_t pad[7] = {};
  uint8_t bytes[8] = {};
  uint8_t original[8] = {};
};
inline constexpr uint8_t kTrapByte = 0x06;  // an invalid instruction of one byte in 64-bit code
inline constexpr uint8_t kJumpLength = 5;

struct PatchMoved {
  uint64_t at = 0;        // a trampoline's code from here on …
  uint64_t original = 0;  // … stands for the instruction here; 0: no code
  uint8_t unseen = 0;     // of a function without hooks, which may put threads in order by it
  uint8_t is_site = 0;    // the announcement of the access by that instruction
  uint8_t pad[6] = {};
};

// What a trampoline tells the runtime of one access. Lies in the room, beside the code.
enum class PatchKind : uint8_t {
  Plain,    // `size` bytes
  String,   // movs, stos, lods, cmps, scas: addresses and count are in registers
  Rmw,      // an atomic read-modify-write
  Cas,      // cmpxchg: expected value in rax (and rdx)
  After,    // the atomic instruction before has been executed
  Masked,   // elements whose mask bit is set
  Gather,   // elements at base plus index, of which the base is told
  Note,     // cannot be told: the place is noted as uncovered when it is executed
};
enum PatchFlags : uint8_t {
  kPatchRead = 1,
  kPatchWrite = 2,
  kPatchRepeat = 4,      // String: rep
  kPatchWhileEqual = 8,  // String: repe
  kPatchUntilEqual = 16, // String: repne
};
enum class PatchString : uint8_t { Movs, Stos, Lods, Cmps, Scas };
enum class PatchMask : uint8_t { Opmask, SignOfVector };  // Masked, Gather: where the bits are

struct PatchSite {
  uint64_t return_pc = 0;  // the instruction's address plus one. First: unwinders find it here (patch_entry.S)
  uint32_t size = 0;       // in bytes, of one element where there are several
  PatchKind kind{};
  uint8_t flags = 0;
  uint16_t note = 0;       // Note: its number
  uint8_t elements = 0;    // Masked, Gather. Cas: 2 if the expected value is in rdx:rax
  PatchMask mask_kind{};
  uint8_t mask = 0;        // number of the register
  uint8_t index = 0;       // Gather: number of the vector register
  uint8_t index_size = 0;  // 4, 8
  uint8_t scale = 0;
  PatchString string{};
  uint8_t vector_bytes = 0;  // Masked by a vector: 16, 32
  uint64_t reason = 0;     // Note: address of a text in the room
};
static_assert(sizeof(PatchSite) == 32);

inline constexpr int kMaxPatchNotes = 1024;  // those beyond share the last number, and are noted as one place

}  // namespace heddle::wire
