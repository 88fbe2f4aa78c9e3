// Which hidden objects descriptors, streams and names stand for (hidden_files.h).
#include "runtime/hidden_files.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "runtime/overlay.h"
#include "runtime/real.h"

namespace heddle::rt {
namespace {

using wire::Hidden;

constexpr int kMostDescriptors = 1024;
constexpr uint32_t kNames = 1024;  // parts of the object that stands for all names, 8 bytes each

// What a descriptor stands for.
struct Opened {
  enum Kind : uint8_t { Unknown, Regular, Pipe, Output, Other } kind;
  uint16_t position;  // which of the file's
  uint64_t file;
};

// In the program's memory: each run begins anew.
Opened g_opened[kMostDescriptors];
uint16_t g_openings[kMaxThreads];  // by each thread: what it opens is named without regard to what others do

// Streams that the program has locked itself (flockfile).
struct StreamHold {
  uint64_t lock;
  uint8_t thread;
  uint32_t depth;
};
constexpr int kMostHolds = 64;
StreamHold g_holds[kMostHolds];

uint64_t hash_text(const char* s, uint64_t n) {
  uint64_t h = 0xcbf29ce484222325ULL;
  for (uint64_t i = 0; i < n; ++i) h = (h ^ (unsigned char)s[i]) * 0x100000001b3ULL;
  return h ^ h >> 32;
}

// ---- what has been opened

uint16_t new_position() { return (uint16_t)((self().slot * 17u + g_openings[self().slot]++) % kPositions); }

// In /proc our process has a number, which is another one in every run.
uint64_t length_of_process(const char* path) {
  constexpr uint64_t kProc = 6;
  if (heddle_rt_memcmp(path, "/proc/", kProc) != 0) return 0;
  uint64_t n = kProc;
  while (path[n] >= '0' && path[n] <= '9') ++n;
  return n;
}

// By the file's name as the kernel has it; those of the rollback executor are only read.
uint64_t file_of(int fd) {
  char link[64], path[512] = {};  // ours to write, before the kernel does
  Text(link, sizeof link) << "/proc/self/fd/" << (uint64_t)fd;
  long n = sys(__NR_readlink, link, path, sizeof path);
  uint64_t number = 0;
  if (n <= 0) return 0;
  if (number_of_overlay_file(path, number)) return number;
  uint64_t skipped = length_of_process(path);
  return hash_text(path + skipped, (uint64_t)n - skipped);
}

Opened look_up(int fd) {
  struct stat facts {};
  if (const KnownFile* known = emulated_file(fd)) return {Opened::Regular, (uint16_t)(fd % kPositions), hash_text(known->path, length_of(known->path))};
  if (sys(__NR_fstat, fd, &facts) != 0) return {Opened::Other, 0, 0};
  if (S_ISREG(facts.st_mode)) return {fd == 1 || fd == 2 ? Opened::Output : Opened::Regular, (uint16_t)(fd % kPositions), file_of(fd)};
  if (fd == 1 || fd == 2) return {Opened::Output, 0, 0};
  return {S_ISFIFO(facts.st_mode) ? Opened::Pipe : Opened::Other, 0, (uint64_t)fd};
}

Opened opened(int fd) {
  if (fd < 0 || fd >= kMostDescriptors) return {Opened::Other, 0, 0};
  if (g_opened[fd].kind == Opened::Unknown) g_opened[fd] = look_up(fd);
  return g_opened[fd];
}

// ---- uses

uint64_t contents_of(const Opened& o) { return wire::hidden_address(Hidden::File, o.file); }
uint64_t position_of(const Opened& o) { return contents_of(o) + kContents + 8u * o.position; }

// Large files are told in blocks, so that an extent is short: bytes up to 2,048 one by one, then 4,096 at a time.
uint32_t squeezed(uint64_t offset) {
  constexpr uint64_t kSingle = kContents / 2, kBlock = 4096;
  if (offset < kSingle) return (uint32_t)offset;
  uint64_t block = kSingle + offset / kBlock;
  return (uint32_t)(block < kContents - 1 ? block : kContents - 1);
}

HiddenUse contents(const Opened& o, const Extent& e, Use use, const char* call, uint64_t pc) {
  if (e.size == ~0ULL) return {contents_of(o), kContents, use, true, call, pc};
  uint32_t low = squeezed(e.from), high = squeezed(e.from + e.size - (e.size ? 1 : 0)) + 1;
  return {contents_of(o) + low, high - low, use, true, call, pc};
}

Use on_position(StreamUse use) {
  switch (use) {
    case StreamUse::Read: return Use::Change;
    case StreamUse::Ask: return Use::Look;
    default: return Use::Put;
  }
}

void use_position(const char* call, const Opened& o, StreamUse use, const Extent& extent, bool locked, uint64_t pc) {
  HiddenUse uses[] = {{position_of(o), kWholeObject, on_position(use), locked, call, pc},
                      contents(o, extent, use == StreamUse::Read ? Use::Look : Use::Put, call, pc)};
  use_hidden(uses, use == StreamUse::Read || use == StreamUse::Write ? 2 : 1);
}

void use_pipe(const char* call, const Opened& o, StreamUse use, uint64_t pc) {
  uint64_t pipe = wire::hidden_address(Hidden::Pipe, o.file);
  if (use == StreamUse::Write) return use_hidden({pipe, kWholeObject, Use::Put, true, call, pc});
  if (use == StreamUse::Read) see_puts({pipe, kWholeObject, Use::Look, true, call, pc});
}

void use_output(const char* call, int which, bool locked, uint64_t pc) {
  use_hidden({wire::hidden_address(Hidden::Output, (uint64_t)which), kWholeObject, Use::Put, locked, call, pc});
  if (R().segment->options.observe_output)
    use_hidden({wire::hidden_address(Hidden::Output), kWholeObject, Use::Change, true, call, pc});
}

// ---- names

HiddenUse name_use(const char* call, const char* path, Use use, uint64_t pc) {
  return {wire::hidden_address(Hidden::Name, 0, 8 * (number_of_path(path) % kNames)), kWholeObject, use, true, call, pc};
}

}  // namespace

void use_descriptor(const char* call, int fd, StreamUse use, uint64_t pc) {
  if (!hidden_counts()) return;
  Opened o = opened(fd);
  switch (o.kind) {
    case Opened::Pipe: return use_pipe(call, o, use, pc);
    case Opened::Regular: return use_position(call, o, use, {}, true, pc);
    case Opened::Output:
      if (use == StreamUse::Write && R().segment->options.observe_output) use_output(call, 0, true, pc);
      return;
    default: return;
  }
}

void use_contents(const char* call, int fd, Use use, const Extent& extent, uint64_t pc) {
  if (!hidden_counts()) return;
  Opened o = opened(fd);
  if (o.kind == Opened::Regular) use_hidden(contents(o, extent, use, call, pc));
}

namespace {

uint64_t lock_of(FILE* stream) { return wire::hidden_address(Hidden::StreamLock, steady_number(stream)); }

StreamHold* hold_on(uint64_t lock) {
  for (StreamHold& h : g_holds)
    if (h.depth && h.lock == lock && h.thread == self().slot) return &h;
  return nullptr;
}

void begin_hold(uint64_t lock, uint64_t pc) {
  if (StreamHold* h = hold_on(lock)) {
    ++h->depth;
    return;
  }
  for (StreamHold& h : g_holds)
    if (!h.depth) {
      h = {lock, self().slot, 1};
      return;
    }
  unsupported("flockfile", pc, "of more than 64 streams at once");
}

Object* mutex_of(uint64_t lock) {
  Object* o = find_object(lock, Kind::Mutex);
  o->type = MutexType::Recursive;
  return o;
}

// Functions without the lock may be inlined into the program, where they access the stream's pointers like any other memory. Those
// that lock the stream exclude each other: they are to that like atomic accesses. And the stream must not have been closed.
void touch_memory(FILE* stream, bool locked, uint64_t pc) {
  uint64_t begin = raw(&stream->_IO_read_ptr), size = raw(&stream->_IO_buf_base) - begin;
  if (locked) atomic_access(begin, (uint32_t)size, true, pc);
  else access(begin, size, true, pc);
}

void use_stream(const char* call, FILE* stream, StreamUse use, bool locked, uint64_t pc) {
  if (!locked && !instrumented(pc)) return;
  touch_memory(stream, locked, pc);
  int fd = stream == stdout ? 1 : stream == stderr ? 2 : REAL(fileno)(stream);
  Opened o = opened(fd);
  if (!locked && hold_on(lock_of(stream))) locked = true;
  if (o.kind == Opened::Output) {
    if (use == StreamUse::Write || !locked) use_output(call, fd, locked, pc);
    return;
  }
  if (o.kind == Opened::Regular) return use_position(call, o, use, {}, locked, pc);
  uint64_t object = wire::hidden_address(Hidden::Stream, steady_number(stream));
  // What is written to memory may be read there at any time.
  Use own = fd < 0 && use == StreamUse::Write ? Use::Change : on_position(use);
  use_hidden({object, kWholeObject, own, locked, call, pc});
}

}  // namespace

StreamCall::StreamCall(const char* call, FILE* stream, StreamUse use, bool locked, uint64_t pc) : pc_(pc) {
  if (!hidden_counts() || !stream) return;
  uint64_t lock = lock_of(stream);
  if (HEDDLE_UNLIKELY(locked && is_visible_hidden(lock))) {
    lock_ = lock;
    announce(operation(Op::MutexLock, mutex_of(lock), pc));
  }
  use_stream(call, stream, use, locked, pc);
}

StreamCall::~StreamCall() {
  if (HEDDLE_UNLIKELY(lock_ != 0)) announce(operation(Op::MutexUnlock, mutex_of(lock_), pc_));
}

namespace {

// Others take a lock only where they know that somebody else does so himself: the search starts over with that.
void show_lock(uint64_t lock, const char* call, uint64_t pc) {
  if (is_visible_hidden(lock)) return;
  make_visible_hidden(lock, call, pc);
  end_run(wire::End::SleepBlocked);
}

}  // namespace

void lock_stream(FILE* stream, uint64_t pc) {
  uint64_t lock = lock_of(stream);
  show_lock(lock, "flockfile", pc);
  announce(operation(Op::MutexLock, mutex_of(lock), pc));
  begin_hold(lock, pc);
}

bool try_lock_stream(FILE* stream, uint64_t pc) {
  uint64_t lock = lock_of(stream);
  show_lock(lock, "ftrylockfile", pc);
  if (!announce(operation(Op::MutexTryLock, mutex_of(lock), pc))) return false;
  begin_hold(lock, pc);
  return true;
}

void unlock_stream(FILE* stream, uint64_t pc) {
  uint64_t lock = lock_of(stream);
  if (StreamHold* h = hold_on(lock)) --h->depth;
  announce(operation(Op::MutexUnlock, mutex_of(lock), pc));
}

void use_name(const char* call, const char* path, Use use, uint64_t pc) {
  if (hidden_counts() && path) use_hidden(name_use(call, path, use, pc));
}

void use_contents_of(const char* call, const char* path, Use use, uint64_t pc) {
  if (hidden_counts() && path) use_hidden(contents({Opened::Regular, 0, number_of_path(path)}, {}, use, call, pc));
}

void use_names(const char* call, const char* path, const char* other, uint64_t pc) {
  if (!hidden_counts() || !path || !other) return;
  HiddenUse uses[] = {name_use(call, path, Use::Change, pc), name_use(call, other, Use::Change, pc)};
  use_hidden(uses, 2);
}

void use_all_names(const char* call, Use use, uint64_t pc) {
  if (hidden_counts()) use_hidden({wire::hidden_address(Hidden::Name), 8 * kNames, use, true, call, pc});
}

void stream_opened(FILE* stream) {
  if (stream) descriptor_opened(REAL(fileno)(stream));
}

void pipe_made(int from, int to) {
  if (!hidden_counts() || from < 0 || to < 0 || from >= kMostDescriptors || to >= kMostDescriptors) return;
  uint64_t number = (uint64_t)self().slot << 16 | ++g_openings[self().slot];
  g_opened[from] = g_opened[to] = {Opened::Pipe, 0, number};
}

void descriptor_opened(int fd) {
  if (!hidden_counts() || fd < 0 || fd >= kMostDescriptors) return;
  g_opened[fd] = look_up(fd);
  if (g_opened[fd].kind == Opened::Output) g_opened[fd].kind = Opened::Regular;  // it has been another file's number before
  g_opened[fd].position = new_position();
}

void descriptor_copied(int from, int fd) {
  if (!hidden_counts() || from < 0 || fd < 0 || from >= kMostDescriptors || fd >= kMostDescriptors || from == fd) return;
  g_opened[fd] = opened(from);
}

void descriptor_closed(int fd) {
  if (hidden_counts() && fd >= 0 && fd < kMostDescriptors) g_opened[fd] = {};
}

}  // namespace heddle::rt
