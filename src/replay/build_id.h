// What tells one build of a program from another: the linker's build id, or a hash of the file where there is none.
#pragma once
#include <string>

#include "base/result.h"

namespace heddle {

// "gnu:3f2a…" or "xxh64:…".
Result<std::string> build_id(const std::string& path);

// "xxh64:…" of the file's bytes.
Result<std::string> file_hash(const std::string& path);

}  // namespace heddle
