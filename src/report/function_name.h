// C++ names as people say them: demangled, without parameter lists and without long template arguments.
#pragma once
#include <string>
#include <string_view>

namespace heddle {

// "_ZN4bank8transferERNS_7AccountES1_i" → "bank::transfer". Names that are not mangled come back as they are.
std::string readable_name(const char* symbol);

// The part of readable_name that needs no demangler, for names that are already demangled.
std::string shorten_name(std::string_view demangled);

}  // namespace heddle
