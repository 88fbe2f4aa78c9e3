// Entries that announce what a function of libstdc++.so accesses, and go on to it. calls.py writes
// the tables.
#pragma once
#include <cstdint>

#include "real.h"

namespace heddle::libstdcxx {

// An access to what an argument of the function points to. Arguments are counted from 0 as machine
// code passes integers and pointers: six registers, then the stack.
struct Announced {
  enum Kind : std::uint8_t {
    kRead,
    kWrite,
    kString,  // reads an object that begins with a std::string, and its characters
    kRange,   // reads from here to where argument number `size` points
    kText,    // reads a string that ends with a null
    kIn,      // reads as many bytes as argument number `size` says
    kOut,     // writes as many
  };
  Kind kind;
  std::uint8_t argument;
  std::uint32_t size;
};

struct Call {
  const char* symbol;
  const Announced* accesses;
  std::uint64_t count;
  void* real;  // found before main
};

void find_real(Call* first, Call* last);

}  // namespace heddle::libstdcxx

// Before main, finds the real functions of all rows of a table.
#define HEDDLE_ANNOUNCED_CALLS(table)                                            \
  HEDDLE_BEFORE_MAIN static void find_all() {                                    \
    heddle::libstdcxx::find_real(table, table + sizeof table / sizeof table[0]); \
  }

// The function with this symbol, which is row `number` of a table.
#define HEDDLE_ENTRY(symbol, table, number)                     \
  __asm__(                                                      \
      ".pushsection .text.heddle_entry,\"ax\",@progbits\n"      \
      ".globl " symbol "\n.type " symbol ", @function\n" symbol \
      ":\n"                                                     \
      "  leaq " table "+32*" #number                            \
      "(%rip), %r11\n"                                          \
      "  jmp heddle_announce_and_call\n"                        \
      ".size " symbol ", . - " symbol "\n.popsection\n");
