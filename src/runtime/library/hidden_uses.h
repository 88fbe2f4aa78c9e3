// What the rows of state.txt say, besides `safe`, `unsafe` and `stream`: which hidden objects a call uses.
#pragma once
#include <fcntl.h>

#include "runtime/hidden_files.h"

namespace heddle::rt::library {

using wire::Hidden;

inline uint64_t object_of(const void* p) { return steady_number(p); }

// ---- the time zone (hooks_hidden_calls.cpp)
void environment_changes(const HiddenCall& call);
void sets_time_zone(const HiddenCall& call);
void reads_time_zone(const HiddenCall& call);

// ---- files
inline Extent all() { return {}; }
inline Extent extent(int64_t at, uint64_t n) { return at < 0 ? Extent{} : Extent{(uint64_t)at, n}; }

inline void position(const HiddenCall& call, int fd, StreamUse use) { use_descriptor(call.name(), fd, use, call.pc()); }
inline void contents(const HiddenCall& call, int fd, Use use, const Extent& extent) {
  use_contents(call.name(), fd, use, extent, call.pc());
}
inline void seeks(const HiddenCall& call, int fd, int64_t at, int from) {
  if (from == SEEK_END) use_contents(call.name(), fd, Use::Look, {}, call.pc());
  use_descriptor(call.name(), fd, from == SEEK_CUR && at == 0 ? StreamUse::Ask : StreamUse::Seek, call.pc());
}

// ---- names
inline void file_name(const HiddenCall& call, const char* path, Use use) { use_name(call.name(), path, use, call.pc()); }
inline void file_names(const HiddenCall& call, const char* path, const char* other) {
  use_names(call.name(), path, other, call.pc());
}
inline void all_names(const HiddenCall& call, Use use) { use_all_names(call.name(), use, call.pc()); }
inline void contents_of(const HiddenCall& call, const char* path, Use use) {
  use_contents_of(call.name(), path, use, call.pc());
}

// ---- what is opened
inline void opens(const HiddenCall& call, const char* path, int flags) {
  use_name(call.name(), path, flags & O_CREAT ? Use::Change : Use::Look, call.pc());
  if (flags & O_TRUNC) use_contents_of(call.name(), path, Use::Put, call.pc());
}
inline void opens_in(const HiddenCall& call, int folder, const char* path, int flags) {
  if (folder == AT_FDCWD || (path && *path == '/')) opens(call, path, flags);
  else use_all_names(call.name(), flags & O_CREAT ? Use::Change : Use::Look, call.pc());
}
// Whoever may write makes the name, and with "w" empties what was there.
inline void opens_stream(const HiddenCall& call, const char* path, const char* mode) {
  bool reads = mode && mode[0] == 'r', empties = mode && mode[0] == 'w';
  use_name(call.name(), path, reads ? Use::Look : Use::Change, call.pc());
  if (empties) use_contents_of(call.name(), path, Use::Put, call.pc());
}
inline void made_pipe(int result, const int* ends) {
  if (result == 0) pipe_made(ends[0], ends[1]);
}
inline void opened(int fd) { descriptor_opened(fd); }
inline void opened_stream(FILE* stream) { stream_opened(stream); }

}  // namespace heddle::rt::library
