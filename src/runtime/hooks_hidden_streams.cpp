// Functions of <stdio.h> that concern a stream and none of the program's own memory. hooks_stdio.cpp has those that print and read.
#undef _FORTIFY_SOURCE
#include <stdio.h>
#include <stdio_ext.h>
#include <wchar.h>

#include "runtime/hidden_files.h"
#include "runtime/real.h"

using namespace heddle::rt;

// Once: result, name, parameters, arguments, the stream, what is done to it, and whether the function takes care of itself.
#define STREAM_CALLS                                                                                  \
  X(int, fputc, (int c, FILE* f), (c, f), f, Write, true)                                             \
  X(int, putc, (int c, FILE* f), (c, f), f, Write, true)                                              \
  X(int, putchar, (int c), (c), stdout, Write, true)                                                  \
  X(int, putw, (int c, FILE* f), (c, f), f, Write, true)                                              \
  X(wint_t, fputwc, (wchar_t c, FILE* f), (c, f), f, Write, true)                                     \
  X(wint_t, putwc, (wchar_t c, FILE* f), (c, f), f, Write, true)                                      \
  X(wint_t, putwchar, (wchar_t c), (c), stdout, Write, true)                                          \
  X(int, fgetc, (FILE * f), (f), f, Read, true)                                                       \
  X(int, getc, (FILE * f), (f), f, Read, true)                                                        \
  X(int, getchar, (void), (), stdin, Read, true)                                                      \
  X(int, getw, (FILE * f), (f), f, Read, true)                                                        \
  X(wint_t, fgetwc, (FILE * f), (f), f, Read, true)                                                   \
  X(wint_t, getwc, (FILE * f), (f), f, Read, true)                                                    \
  X(wint_t, getwchar, (void), (), stdin, Read, true)                                                  \
  X(int, ungetc, (int c, FILE* f), (c, f), f, Seek, true)                                             \
  X(wint_t, ungetwc, (wint_t c, FILE* f), (c, f), f, Seek, true)                                      \
  X(int, fputc_unlocked, (int c, FILE* f), (c, f), f, Write, false)                                   \
  X(int, putc_unlocked, (int c, FILE* f), (c, f), f, Write, false)                                    \
  X(int, putchar_unlocked, (int c), (c), stdout, Write, false)                                        \
  X(wint_t, fputwc_unlocked, (wchar_t c, FILE* f), (c, f), f, Write, false)                           \
  X(wint_t, putwc_unlocked, (wchar_t c, FILE* f), (c, f), f, Write, false)                            \
  X(wint_t, putwchar_unlocked, (wchar_t c), (c), stdout, Write, false)                                \
  X(int, fgetc_unlocked, (FILE * f), (f), f, Read, false)                                             \
  X(int, getc_unlocked, (FILE * f), (f), f, Read, false)                                              \
  X(int, getchar_unlocked, (void), (), stdin, Read, false)                                            \
  X(wint_t, fgetwc_unlocked, (FILE * f), (f), f, Read, false)                                         \
  X(wint_t, getwc_unlocked, (FILE * f), (f), f, Read, false)                                          \
  X(wint_t, getwchar_unlocked, (void), (), stdin, Read, false)                                        \
  X(int, fflush_unlocked, (FILE * f), (f), f, Write, false)                                           \
  X(void, clearerr_unlocked, (FILE * f), (f), f, Seek, false)                                         \
  X(int, feof_unlocked, (FILE * f), (f), f, Ask, false)                                               \
  X(int, ferror_unlocked, (FILE * f), (f), f, Ask, false)                                             \
  X(int, fflush, (FILE * f), (f), f, Write, true)                                                     \
  X(void, clearerr, (FILE * f), (f), f, Seek, true)                                                   \
  X(int, feof, (FILE * f), (f), f, Ask, true)                                                         \
  X(int, ferror, (FILE * f), (f), f, Ask, true)                                                       \
  X(long, ftell, (FILE * f), (f), f, Ask, true)                                                       \
  X(off_t, ftello, (FILE * f), (f), f, Ask, true)                                                     \
  X(off64_t, ftello64, (FILE * f), (f), f, Ask, true)                                                 \
  X(int, fseek, (FILE * f, long at, int from), (f, at, from), f, Seek, true)                          \
  X(int, fseeko, (FILE * f, off_t at, int from), (f, at, from), f, Seek, true)                        \
  X(int, fseeko64, (FILE * f, off64_t at, int from), (f, at, from), f, Seek, true)                    \
  X(void, rewind, (FILE * f), (f), f, Seek, true)

#define X(result, name, parameters, arguments, stream, use, locked)                \
  HEDDLE_EXPORT result name parameters {                                           \
    StreamCall call(#name, stream, StreamUse::use, locked, HEDDLE_PC);             \
    return REAL(name) arguments;                                                   \
  }
STREAM_CALLS
#undef X

// ---- to open and to close

namespace {

FILE* opened(FILE* stream) {
  if (stream) descriptor_opened(REAL(fileno)(stream));
  return stream;
}

// Whoever may write makes the name, or empties what was there.
FILE* open_path(const char* call, const char* path, const char* mode, uint64_t pc, FILE* (*real)(const char*, const char*)) {
  bool reads = mode && mode[0] == 'r';
  use_name(call, path, reads ? Use::Look : Use::Change, pc);
  if (mode && mode[0] == 'w') use_contents_of(call, path, Use::Put, pc);
  return opened(real(path, mode));
}

int close_stream(FILE* stream, uint64_t pc) {
  int fd = REAL(fileno)(stream);
  {
    StreamCall call("fclose", stream, StreamUse::Write, true, pc);
  }
  int result = REAL(fclose)(stream);
  descriptor_closed(fd);
  return result;
}

}  // namespace

HEDDLE_EXPORT FILE* fopen(const char* path, const char* mode) { return open_path("fopen", path, mode, HEDDLE_PC, REAL(fopen)); }
HEDDLE_EXPORT FILE* fopen64(const char* path, const char* mode) { return open_path("fopen64", path, mode, HEDDLE_PC, REAL(fopen64)); }
HEDDLE_EXPORT FILE* tmpfile(void) { return opened(REAL(tmpfile)()); }
HEDDLE_EXPORT FILE* tmpfile64(void) { return opened(REAL(tmpfile64)()); }
HEDDLE_EXPORT int fclose(FILE* stream) { return close_stream(stream, HEDDLE_PC); }

HEDDLE_EXPORT void flockfile(FILE* stream) {
  if (!hidden_counts()) return REAL(flockfile)(stream);
  lock_stream(stream, HEDDLE_PC);
}
HEDDLE_EXPORT int ftrylockfile(FILE* stream) {
  if (!hidden_counts()) return REAL(ftrylockfile)(stream);
  return try_lock_stream(stream, HEDDLE_PC) ? 0 : -1;
}
HEDDLE_EXPORT void funlockfile(FILE* stream) {
  if (!hidden_counts()) return REAL(funlockfile)(stream);
  unlock_stream(stream, HEDDLE_PC);
}

namespace heddle::rt {

void hidden_streams_prepare() {
#define X(result, name, parameters, arguments, stream, use, locked) (void)REAL(name);
  STREAM_CALLS
#undef X
  (void)REAL(fileno);
  (void)REAL(fopen);
  (void)REAL(fopen64);
  (void)REAL(tmpfile);
  (void)REAL(tmpfile64);
  (void)REAL(fclose);
}

}  // namespace heddle::rt
