#include "runtime/unseen_order.h"

#include <sys/mman.h>

namespace heddle::rt {
namespace {

const char* file_name(const char* path) {
  const char* name = path;
  for (const char* c = path; *c; ++c)
    if (*c == '/') name = c + 1;
  return name;
}

void await_judgement() {
  while (!__atomic_load_n(&R().segment->modules_judged, __ATOMIC_ACQUIRE)) sys(__NR_sched_yield);
}

void add_library(uint32_t module) {
  Runtime& r = R();
  if (r.unseen_count == kMaxUnseen) fatal("more than 16 libraries that have locks of their own");
  UnseenLibrary& l = r.unseen[r.unseen_count++];
  l.module = module;
  l.open = 1;  // as it is loaded
}

void find_libraries() {
  Runtime& r = R();
  await_judgement();
  r.unseen_known = 1;
  for (uint32_t i = 0; i < r.segment->module_count; ++i)
    if (r.segment->modules[i].orders_unseen && r.module_code[i].low) add_library(i);
}

void set_open(UnseenLibrary& l, bool open) {
  const MemoryRange& code = R().module_code[l.module];
  int access = open ? PROT_READ | PROT_EXEC : PROT_READ;
  if (sys(__NR_mprotect, code.low, code.high - code.low, access) != 0)
    fatal("the code of a library cannot be made inaccessible");
  l.open = open;
}

void join(uint32_t* to, const uint32_t* from) {
  for (uint32_t i = 0; i < R().clock_limit; ++i)
    if (from[i] > to[i]) to[i] = from[i];
}

// The thread gives all that happened before, or may have, and takes what others have given.
void pass_through(Thread& t, UnseenLibrary& l) {
  join(l.given, t.clock.at);
  join(l.given, t.clock.maybe);
  join(t.clock.maybe, l.given);
  tick(t);
}

}  // namespace

void unseen_begin_run() {
  Runtime& r = R();
  if (HEDDLE_UNLIKELY(!r.unseen_known)) find_libraries();
  if (HEDDLE_LIKELY(!r.unseen_count)) return;
  for (uint32_t i = 0; i < r.unseen_count; ++i)
    heddle_rt_memset(r.unseen[i].given, 0, sizeof r.unseen[i].given);
  r.unseen_open = 1;
  close_unseen();
}

void close_unseen() {
  Runtime& r = R();
  for (uint32_t i = 0; i < r.unseen_count; ++i)
    if (r.unseen[i].open) set_open(r.unseen[i], false);
  r.unseen_open = 0;
}

bool unseen_entered(uint64_t pc) {
  Runtime& r = R();
  for (uint32_t i = 0; i < r.unseen_count; ++i) {
    UnseenLibrary& l = r.unseen[i];
    const MemoryRange& code = r.module_code[l.module];
    if (pc < code.low || pc >= code.high) continue;
    if (l.open) return false;  // something else is wrong
    set_open(l, true);
    r.unseen_open = 1;
    if (r.current && !r.in_runtime) pass_through(*r.current, l);
    return true;
  }
  return false;
}

void refuse_waiting(uint64_t pc) {
  Runtime& r = R();
  const char* library = "a library";
  for (uint32_t i = 0; i < r.unseen_count; ++i)
    if (r.unseen[i].open) library = file_name(r.segment->modules[r.unseen[i].module].path);
  char why[160];
  Text(why, sizeof why) << "inside " << library
                        << ", which was not built with heddle-cc: what its locks order cannot be seen";
  unsupported("waiting", pc, why);
}

const char* unseen_between(uint32_t thread, uint32_t clock) {
  const Runtime& r = R();
  if (HEDDLE_LIKELY(!r.unseen_count) || self().clock.maybe[thread] < clock) return nullptr;
  for (uint32_t i = 0; i < r.unseen_count; ++i)
    if (r.unseen[i].given[thread] >= clock)
      return file_name(r.segment->modules[r.unseen[i].module].path);
  return nullptr;
}

}  // namespace heddle::rt
