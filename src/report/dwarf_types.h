// The few questions that we ask of DWARF types: how large, what name, and which member lies at an offset.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include <elfutils/libdw.h>

namespace heddle {

std::optional<Dwarf_Die> type_of(Dwarf_Die* die);

// 0 if unknown.
std::uint64_t byte_size_of(Dwarf_Die* type);

// ".balance", "[3].lock", "": the path from a variable of this type to the byte at `offset`. Stops at members whose name is reserved for
// the implementation ("_M_mutex"): the user wrote std::mutex, not what is inside.
std::string member_path(Dwarf_Die* type, std::uint64_t offset);

}  // namespace heddle
