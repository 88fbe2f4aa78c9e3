// Stands in for the functions of hidden_calls.def.
#undef _FORTIFY_SOURCE
#include <dirent.h>
#include <getopt.h>
#include <grp.h>
#include <langinfo.h>
#include <locale.h>
#include <netdb.h>
#include <pwd.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/hidden.h"
#include "runtime/real.h"

using namespace heddle::rt;
using heddle::wire::Hidden;

namespace {

// An object of the C library that lies in the heap: where it lies names it.
uint64_t object_of(const void* p) { return name_of(raw(p)) * 0x9e3779b97f4a7c15ULL >> 28; }

// Functions that set the time zone set it from the environment, to what it was before as long as that stays the same. In the
// program's memory: each run begins anew.
bool g_environment_changed;
void environment_changes() {
  if (hidden_counts()) g_environment_changed = true;
}
void sets_time_zone(const HiddenCall& call) {
  call.unsafe(Hidden::Environment, Use::Look);
  if (g_environment_changed) call.safe(Hidden::TimeZone, Use::Change);
}
void reads_time_zone(const HiddenCall& call) {
  if (g_environment_changed) call.safe(Hidden::TimeZone, Use::Look);
}

}  // namespace

#define X(result, name, parameters, arguments, uses) \
  HEDDLE_EXPORT result name parameters {             \
    HiddenCall call(#name, HEDDLE_PC);               \
    if (call.counts()) {                             \
      uses;                                          \
    }                                                \
    return REAL(name) arguments;                     \
  }
#include "runtime/hidden_calls.def"
#undef X

namespace heddle::rt {

// Before the first run: what is found during a run is rolled back, and would be looked for again in the next.
void hidden_calls_prepare() {
#define X(result, name, parameters, arguments, uses) (void)REAL(name);
#include "runtime/hidden_calls.def"
#undef X
}

}  // namespace heddle::rt
