// Files that the program reads in the rollback executor (files.cpp).
#pragma once
#include <stdint.h>
#include <sys/stat.h>

namespace heddle::rt {

inline constexpr uint32_t kMaxFiles = 256;

// A file that some run has opened, and what it was like then. In our own memory: it stays.
struct KnownFile {
  int descriptor;
  struct stat facts;
  char path[256];  // empty: open at the stop at main
};

void files_prepare();
void files_rewind();
// False: not a call that only reads a file.
bool emulate_file_call(long number, const uint64_t* arguments, long& result);

}  // namespace heddle::rt
