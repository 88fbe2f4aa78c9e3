// Files that a program writes in the fork executor: they last as long as the execution (overlay.cpp).
#pragma once
#include <stdint.h>

namespace heddle::rt {

// Every call that names a file. The result; or false: the kernel may do it.
bool emulate_named_file(long number, const uint64_t* arguments, uint64_t pc, long& result);

bool names_a_file(long number);

// The number in the name of a file of ours, as the kernel shows it ("/memfd:heddle-…"). False: another file.
bool number_of_overlay_file(const char* shown, uint64_t& number);

// Of a path in full, without "." and "..": links are taken as they are.
uint64_t number_of_path(const char* path);
uint64_t full_path(const char* path, char* full, uint64_t capacity);  // its length

}  // namespace heddle::rt
