// Questions about files by name (stat, access) in the rollback executor: answered once, and with the same words in every run. A run that
// writes to files is none of this executor's, so no run can change the answer itself.
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "runtime/files.h"
#include "runtime/runtime.h"

namespace heddle::rt {
namespace {

struct Question {
  const char* path;
  int mode;       // what access() asks for; -1: facts
  int flags;      // AT_SYMLINK_NOFOLLOW, AT_EACCESS
  uint64_t into;  // where the facts go
};

// False for other calls, and for names below a directory that is open.
bool read_question(long number, const uint64_t* a, Question& q) {
  auto path = [](uint64_t at) { return reinterpret_cast<const char*>(at); };
  auto from_here = [&](uint64_t directory, uint64_t name) { return (int)directory == AT_FDCWD || (name && *path(name) == '/'); };
  switch (number) {
    case __NR_stat: q = {path(a[0]), -1, 0, a[1]}; return true;
    case __NR_lstat: q = {path(a[0]), -1, AT_SYMLINK_NOFOLLOW, a[1]}; return true;
    case __NR_access: q = {path(a[0]), (int)a[1], 0, 0}; return true;
    case __NR_newfstatat: q = {path(a[1]), -1, (int)a[3], a[2]}; return from_here(a[0], a[1]);
    case __NR_faccessat: q = {path(a[1]), (int)a[2], 0, 0}; return from_here(a[0], a[1]);
    case __NR_faccessat2: q = {path(a[1]), (int)a[2], (int)a[3], 0}; return from_here(a[0], a[1]);
    default: return false;
  }
}

bool same_text(const char* a, const char* b) { return length_of(a) == length_of(b) && heddle_rt_memcmp(a, b, length_of(a)) == 0; }

FileAnswer* find_answer(const Question& q) {
  Runtime& r = R();
  for (uint32_t i = 0; i < r.answer_count; ++i) {
    FileAnswer& known = r.answers[i];
    if (known.mode == q.mode && known.flags == q.flags && same_text(known.path, q.path)) return &known;
  }
  return nullptr;
}

// Null: there is no room to keep it.
FileAnswer* ask(const Question& q) {
  Runtime& r = R();
  if (r.answer_count >= kMaxAnswers || length_of(q.path) >= sizeof(FileAnswer::path)) return nullptr;
  FileAnswer& answer = r.answers[r.answer_count++];
  Text(answer.path, sizeof answer.path) << q.path;
  answer.mode = q.mode;
  answer.flags = q.flags;
  answer.result = q.mode < 0 ? sys(__NR_newfstatat, AT_FDCWD, answer.path, &answer.facts, q.flags)
                             : sys(q.flags ? __NR_faccessat2 : __NR_faccessat, AT_FDCWD, answer.path, q.mode, q.flags);
  return &answer;
}

}  // namespace

bool emulate_file_question(long number, const uint64_t* a, long& result) {
  Question q;
  if (!read_question(number, a, q)) return false;
  if (!q.path || (q.mode < 0 && !q.into)) return result = -EFAULT, true;
  const FileAnswer* answer = find_answer(q);
  if (!answer) answer = ask(q);
  if (!answer) return false;
  result = answer->result;
  if (result == 0 && q.mode < 0) tell_facts(answer->facts, q.into);
  return true;
}

}  // namespace heddle::rt
