// Files that the program reads or asks about in the rollback executor (files.cpp, file_facts.cpp).
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

inline constexpr uint32_t kMaxAnswers = 128;

// What was asked about a file by its name, and the answer.
struct FileAnswer {
  char path[256];
  int mode, flags;
  long result;
  struct stat facts;
};

// Null: a descriptor of the kernel's.
const KnownFile* emulated_file(int fd);

void files_prepare();
void files_rewind();
// False: not a call that only reads a file.
bool emulate_file_call(long number, const uint64_t* arguments, long& result);
bool emulate_file_question(long number, const uint64_t* arguments, long& result);
// The time of the last access is what reading changes: the program is shown another one that stays.
long tell_facts(const struct stat& facts, uint64_t to);

}  // namespace heddle::rt
