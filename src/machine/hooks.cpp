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
  callee.keeps = callee.answers = callee.answers_high = 0;
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

// "atomic32_load": 4.
std::uint8_t atomic_bytes(std::string_view name) {
  unsigned bits = 0;
  take(name, "atomic");
  std::from_chars(name.data(), name.data() + name.size(), bits);
  return static_cast<std::uint8_t>(bits / 8);
}

constexpr auto kNoReturn = std::to_array<Names>({"abort",
                                                 "exit",
                                                 "_exit",
                                                 "_Exit",
                                                 "quick_exit",
                                                 "__stack_chk_fail",
                                                 "__assert_fail",
                                                 "__assert",
                                                 "__assert_perror_fail",
                                                 "__cxa_throw",
                                                 "__cxa_rethrow",
                                                 "__cxa_bad_cast",
                                                 "__cxa_bad_typeid",
                                                 "__cxa_throw_bad_array_new_length",
                                                 "__cxa_pure_virtual",
                                                 "__cxa_call_unexpected",
                                                 "__cxa_call_terminate",
                                                 "_Unwind_Resume",
                                                 "_ZSt9terminatev",
                                                 "_ZSt10unexpectedv",
                                                 "longjmp",
                                                 "_longjmp",
                                                 "siglongjmp",
                                                 "__longjmp_chk",
                                                 "pthread_exit",
                                                 "thrd_exit",
                                                 "__chk_fail",
                                                 "__fortify_fail",
                                                 "__clang_call_terminate",
                                                 "err",
                                                 "errx",
                                                 "verr",
                                                 "verrx",
                                                 "__libc_start_call_main"});

constexpr auto kReturnsTwice =
    std::to_array<Names>({"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork", "getcontext",
                          "swapcontext", "savectx"});

// None of their pointers outlives the call, whatever is done with them. The compilers know that.
constexpr auto kKeepsNothing = std::to_array<Names>({"memcpy",
                                                     "memmove",
                                                     "memset",
                                                     "memcmp",
                                                     "bcmp",
                                                     "bzero",
                                                     "memchr",
                                                     "memrchr",
                                                     "mempcpy",
                                                     "memmem",
                                                     "__tsan_memcpy",
                                                     "__tsan_memmove",
                                                     "__tsan_memset",
                                                     "strlen",
                                                     "strnlen",
                                                     "strcpy",
                                                     "stpcpy",
                                                     "strncpy",
                                                     "strcat",
                                                     "strncat",
                                                     "strcmp",
                                                     "strncmp",
                                                     "strcasecmp",
                                                     "strncasecmp",
                                                     "strchr",
                                                     "strrchr",
                                                     "strstr",
                                                     "strpbrk",
                                                     "strspn",
                                                     "strcspn",
                                                     "strdup",
                                                     "strndup",
                                                     "printf",
                                                     "fprintf",
                                                     "sprintf",
                                                     "snprintf",
                                                     "vprintf",
                                                     "vfprintf",
                                                     "vsprintf",
                                                     "vsnprintf",
                                                     "__printf_chk",
                                                     "__fprintf_chk",
                                                     "__sprintf_chk",
                                                     "__snprintf_chk",
                                                     "__memcpy_chk",
                                                     "__memmove_chk",
                                                     "__memset_chk",
                                                     "__strcpy_chk",
                                                     "__strcat_chk",
                                                     "scanf",
                                                     "fscanf",
                                                     "sscanf",
                                                     "__isoc99_scanf",
                                                     "__isoc99_fscanf",
                                                     "__isoc99_sscanf",
                                                     "puts",
                                                     "fputs",
                                                     "fputc",
                                                     "putchar",
                                                     "fgets",
                                                     "fread",
                                                     "fwrite",
                                                     "fopen",
                                                     "perror",
                                                     "open",
                                                     "read",
                                                     "write",
                                                     "pread",
                                                     "pwrite",
                                                     "stat",
                                                     "lstat",
                                                     "fstat",
                                                     "access",
                                                     "unlink",
                                                     "rename",
                                                     "mkdir",
                                                     "rmdir",
                                                     "atoi",
                                                     "atol",
                                                     "atoll",
                                                     "atof",
                                                     "pthread_join",
                                                     "pthread_mutex_init",
                                                     "pthread_mutex_lock",
                                                     "pthread_mutex_unlock",
                                                     "pthread_mutex_destroy",
                                                     "pthread_attr_init",
                                                     "pthread_attr_destroy",
                                                     "pthread_barrier_init",
                                                     "pthread_barrier_wait",
                                                     "pthread_cond_init",
                                                     "pthread_cond_wait",
                                                     "pthread_cond_signal",
                                                     "pthread_cond_broadcast",
                                                     "sem_init",
                                                     "sem_wait",
                                                     "sem_post",
                                                     "time",
                                                     "gettimeofday",
                                                     "clock_gettime",
                                                     "nanosleep",
                                                     "clock_nanosleep",
                                                     "mktime",
                                                     "strftime",
                                                     "getenv",
                                                     "modf",
                                                     "modff",
                                                     "modfl",
                                                     "frexp",
                                                     "frexpf",
                                                     "frexpl",
                                                     "remquo",
                                                     "sincos",
                                                     "sincosf",
                                                     "free",
                                                     "_ZdlPv",
                                                     "_ZdlPvm",
                                                     "_ZdaPv",
                                                     "_ZdaPvm",
                                                     "malloc",
                                                     "calloc",
                                                     "realloc",
                                                     "_Znwm",
                                                     "_Znam"});

// Their result points into what the first argument points to.
constexpr auto kAnswersFirst = std::to_array<Names>(
    {"memcpy",       "memmove", "memset",       "memchr",        "memrchr",
     "mempcpy",      "memmem",  "__memcpy_chk", "__memmove_chk", "__memset_chk",
     "strcpy",       "stpcpy",  "strncpy",      "strcat",        "strncat",
     "strchr",       "strrchr", "strstr",       "strpbrk",       "__strcpy_chk",
     "__strcat_chk", "fgets",   "gmtime_r",     "localtime_r",   "realloc"});

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
    other.takes_stack_arguments = false;
    other.keeps = other.answers = other.answers_high = 0;
    if (name.starts_with("atomic")) {  // what is stored stays, where and what is expected does not
      const bool compares = name.find("compare_exchange") != std::string_view::npos;
      other.keeps = kAllArguments & ~(compares ? 3 : 1);
      if (name.ends_with("_load")) other.bytes = atomic_bytes(name);
    } else if (name.starts_with("mem")) {
      other.answers = 1;
    }
    return other;
  }
  Callee callee;
  if (name == "__tls_get_addr") callee.kind = Callee::Kind::ThreadLocal;
  callee.returns = !has(kNoReturn, name);
  if (name == "pthread_create")
    callee.keeps = kAllArguments & ~3;  // where the thread's name goes, the attributes
  callee.returns_twice = has(kReturnsTwice, name);
  if (has(kKeepsNothing, name)) {
    callee.keeps = 0;
    callee.answers = has(kAnswersFirst, name) ? 1 : 0;
    callee.answers_high = 0;
  }
  return callee;
}

}  // namespace heddle::machine
