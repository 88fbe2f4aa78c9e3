// Does a library's code order memory accesses by itself?
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace heddle::machine {

// Whether this code has an atomic read-modify-write of memory: a lock prefix, or an exchange with
// memory. Code that orders threads by plain loads and stores alone cannot be told from other code.
bool has_atomic_instruction(std::span<const std::uint8_t> code);

// The same of all code in an ELF file. A file that cannot be read has none.
bool has_atomic_instruction(const std::string& path);

}  // namespace heddle::machine
