// Instructions as a person reads them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::machine {

// In AT&T syntax, one a line of `addresses`; empty where there is none.
std::vector<std::string> instruction_texts(const std::string& elf_path,
                                           const std::vector<std::uint64_t>& addresses);

}  // namespace heddle::machine
