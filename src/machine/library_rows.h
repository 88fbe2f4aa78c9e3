// Which functions of the C and C++ libraries are accounted for: their accesses are announced by the
// runtime, or they make none that other threads could meet. runtime/library/functions.txt has the C
// library's, cxx_functions.txt the C++ library's.
#pragma once
#include <cstdint>
#include <string_view>

namespace heddle::machine {

enum class RowKind : std::uint8_t {
  Watched,  // a hook announces its accesses
  Own,      // … one that was written by hand
  Pure,     // touches nothing
  State,    // a hidden object and no memory of the program
  Noreturn,
  Callback,    // the program's own functions make the accesses
  Private,     // memory of the calling thread, or the library's own
  Data,        // a variable
  Unmodelled,  // nobody looks at what it does
};

struct LibraryRow {
  std::string_view name;  // one that ends in * stands for all that begin so
  RowKind kind;
  std::string_view detail;
};

// The row of a symbol; null: there is none.
const LibraryRow* c_library_row(std::string_view symbol);
const LibraryRow* cxx_library_row(std::string_view symbol);

}  // namespace heddle::machine
