#include "machine/hooks.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace heddle::machine {
namespace {

using Names = std::string_view;

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool parse_access(std::string_view text, Callee& callee) {
  take(text, "unaligned_");
  take(text, "volatile_");
  const bool both = take(text, "read_write");
  if (!both && !take(text, "read")) {
    if (!take(text, "write")) return false;
    callee.write = true;
  }
  callee.write = callee.write || both;
  callee.kind = Callee::Kind::Access;
  if (text == "_range") {
    callee.kind = Callee::Kind::Range;
    return true;
  }
  unsigned bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  callee.bytes = static_cast<std::uint8_t>(bytes);
  return error == std::errc() && end == text.data() + text.size() && bytes <= 16;
}

Callee hook(std::string_view text) {
  Callee callee;
  callee.keeps = callee.answers = 0;
  if (text == "func_entry" || text == "func_exit" || text == "init") {
    callee.kind = Callee::Kind::Note;
  } else if (text == "vptr_read" || text == "vptr_update") {
    callee.kind = Callee::Kind::Access;
    callee.bytes = 8;
    callee.vptr = true;
    callee.write = text == "vptr_update";
  } else if (!parse_access(text, callee)) {
    return Callee{};
  }
  return callee;
}

constexpr auto kNoReturn = std::to_array<Names>(
    {"abort", "exit", "_exit", "_Exit", "quick_exit", "__stack_chk_fail", "__assert_fail", "__assert",
     "__assert_perror_fail", "__cxa_throw", "__cxa_rethrow", "__cxa_bad_cast", "__cxa_bad_typeid",
     "__cxa_throw_bad_array_new_length", "__cxa_pure_virtual", "__cxa_call_unexpected",
     "__cxa_call_terminate", "_Unwind_Resume", "_ZSt9terminatev", "_ZSt10unexpectedv", "longjmp", "_longjmp",
     "siglongjmp", "__longjmp_chk", "pthread_exit", "thrd_exit", "__chk_fail", "__fortify_fail",
     "__clang_call_terminate", "err", "errx", "verr", "verrx", "__libc_start_call_main"});

constexpr auto kReturnsTwice = std::to_array<Names>(
    {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork", "getcontext", "swapcontext", "savectx"});

// None of their pointers outlives the call, whatever is done with them. The compilers know that.
constexpr auto kKeepsNothing = std::to_array<Names>(
    {"memcpy", "memmove", "memset", "memcmp", "bcmp", "bzero", "memchr", "memrchr", "mempcpy", "memmem",
     "__tsan_memcpy", "__tsan_memmove", "__tsan_memset", "strlen", "strnlen", "strcpy", "stpcpy", "strncpy", "strcat",
     "strncat", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strchr", "strrchr", "strstr", "strpbrk", "strspn",
     "strcspn", "strdup", "strndup", "printf", "fprintf", "sprintf", "snprintf", "vprintf", "vfprintf", "vsprintf",
     "vsnprintf", "__printf_chk", "__fprintf_chk", "__sprintf_chk", "__snprintf_chk", "__memcpy_chk", "__memmove_chk",
     "__memset_chk", "__strcpy_chk", "__strcat_chk", "scanf", "fscanf", "sscanf", "__isoc99_scanf", "__isoc99_fscanf",
     "__isoc99_sscanf", "puts", "fputs", "fputc", "putchar", "fgets", "fread", "fwrite", "fopen", "perror", "open",
     "read", "write", "pread", "pwrite", "stat", "lstat", "fstat", "access", "unlink", "rename", "mkdir", "rmdir",
     "atoi", "atol", "atoll", "atof", "strtol", "strtoll", "strtoul", "strtoull", "strtod", "strtof", "strtold",
     "time", "gettimeofday", "clock_gettime", "nanosleep", "clock_nanosleep", "localtime_r", "gmtime_r", "mktime",
     "strftime", "getenv", "modf", "modff", "modfl", "frexp", "frexpf", "frexpl", "remquo", "sincos", "sincosf",
     "free", "_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZdaPvm", "malloc", "calloc", "realloc", "_Znwm", "_Znam"});

template <std::size_t N>
bool has(const std::array<Names, N>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

}  // namespace

bool is_hook(std::string_view name) { return name.starts_with("__tsan_"); }

Callee callee_by_name(std::string_view name) {
  if (take(name, "__tsan_")) {
    const Callee found = hook(name);
    if (found.kind != Callee::Kind::Function) return found;
    Callee other;
    other.keeps = other.answers = 0;
    if (name.starts_with("atomic")) {  // what is stored stays, where and what is expected does not
      const bool compares = name.find("compare_exchange") != std::string_view::npos;
      other.keeps = kAllArguments & ~(compares ? 3 : 1);
    } else if (name.starts_with("mem")) {
      other.answers = 1;
    }
    return other;
  }
  Callee callee;
  if (name == "__tls_get_addr") callee.kind = Callee::Kind::ThreadLocal;
  callee.returns = !has(kNoReturn, name);
  callee.returns_twice = has(kReturnsTwice, name);
  if (has(kKeepsNothing, name)) callee.keeps = 0;
  return callee;
}

}  // namespace heddle::machine
