// promise::set_value_at_thread_exit. The store that makes the future ready is made inside libstdc++, which is not
// instrumented: here it becomes an operation of its own, just before the library makes it.
#include "runtime/told_value.h"
#include "runtime/hooks.h"
#include "runtime/real.h"

using namespace heddle::rt;

extern "C" void _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(void*);

namespace {

// The layout is part of libstdc++'s ABI: _Make_ready { next, callback, weak_ptr { state, … } }, state { vptr, result, status }.
uint64_t status_word(void* make_ready) { return raw(static_cast<void**>(make_ready)[2]) + 16; }

}  // namespace

HEDDLE_EXPORT void _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(void* make_ready) {
  if (running()) {
    Thread& t = self();
    auto& words = store_of(t).ready_at_exit;
    if (t.ready_at_exit == sizeof words / sizeof words[0])
      unsupported("more than 8 promises that are kept at the exit of one thread", HEDDLE_PC);
    words[t.ready_at_exit++] = status_word(make_ready);
  }
  REAL(_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv)(make_ready);
}

namespace heddle::rt {

void make_futures_ready() {
  Thread& t = self();
  for (uint32_t i = 0; i < t.ready_at_exit; ++i) {
    uint64_t word = store_of(t).ready_at_exit[i];
    PendingOp p = operation(Op::AtomicStore, find_object(word, Kind::Atomic), t.created_pc);
    p.address = word;
    p.size = 4;
    p.write = 1;
    p.rest = Rest::Nothing;  // the thread is at its end
    announce(p);
    if (running()) tell_value(*reinterpret_cast<uint32_t*>(word));
    Object& o = *find_object(word, Kind::Atomic);
    release(t, o.clock);
    note_change(word, 4);
  }
  t.ready_at_exit = 0;
}

}  // namespace heddle::rt
