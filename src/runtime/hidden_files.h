// Files, streams and names as hidden objects (hidden.h).
//
// A file has its contents, and a position for everyone who has opened it: what open, dup and fdopen made share one. Names are
// parts of one object, so that a call that concerns two of them is one step. What goes to standard output and error is not read
// back: nothing there is an object, unless the order of output counts (--observe-output).
#pragma once
#include <stdio.h>
#include <sys/stat.h>

#include "runtime/hidden.h"

namespace heddle::rt {

// Where in a file a call reads or writes.
struct Extent {
  uint64_t from = 0, size = ~0ULL;
};

enum class StreamUse : uint8_t {
  Write,   // puts characters
  Read,    // takes characters
  Seek,    // sets the position, or what the stream remembers besides
  Ask,     // asks for the position or a flag
};

// Around a call that uses a stream. Where the program locks streams itself, those who take care of themselves wait for it.
class StreamCall {
 public:
  StreamCall(const char* call, FILE* stream, StreamUse use, bool locked, uint64_t pc);
  ~StreamCall();
  StreamCall(const StreamCall&) = delete;
  StreamCall& operator=(const StreamCall&) = delete;

 private:
  uint64_t lock_ = 0;  // that it has taken
  uint64_t pc_;
};
void lock_stream(FILE* stream, uint64_t pc);
bool try_lock_stream(FILE* stream, uint64_t pc);
void unlock_stream(FILE* stream, uint64_t pc);

void use_descriptor(const char* call, int fd, StreamUse use, uint64_t pc);                 // at the file's position
void use_contents(const char* call, int fd, Use use, const Extent& extent, uint64_t pc);   // and leaves the position alone
void use_name(const char* call, const char* path, Use use, uint64_t pc);
void use_contents_of(const char* call, const char* path, Use use, uint64_t pc);            // of the file with this name
void use_names(const char* call, const char* path, const char* other, uint64_t pc);        // changes both
void use_all_names(const char* call, Use use, uint64_t pc);

// The order of two writers of a pipe matters to whoever reads from it. Who comes first, writer or reader, is not explored.
void pipe_made(int from, int to);

// `fd` has been opened, or is a copy of `from`, or has been closed.
void descriptor_opened(int fd);
void stream_opened(FILE* stream);
void descriptor_copied(int from, int fd);
void descriptor_closed(int fd);

}  // namespace heddle::rt
