// Libraries that make locks of their own where heddle cannot see them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "wire/wire.h"

namespace heddle {

// The file names of loaded libraries that were not built with heddle cc and call futexes by themselves. Those of the languages are left out:
// their locks are modelled.
std::vector<std::string> libraries_with_own_locks(const std::vector<wire::Module>& modules);

// Whether this machine code makes the system call futex, by libc's syscall() or by itself.
bool calls_futex(std::string_view code, bool has_syscall_function);

}  // namespace heddle
